import { describe, expect, test } from 'vitest';
import { at, cardWith } from '../../test/client/scripted-agent.js';
import type { AgentInterface } from '../protocol/types.js';
import { interfacesFor } from './addresses.js';

const HOME = 'https://agent.test/a';
const REST = at('HTTP+JSON', 'https://agent.test/a/rest');
const RPC = at('JSONRPC', HOME);
const FAR_REST = at('HTTP+JSON', 'https://elsewhere.test/rest');
const FAR_RPC = at('JSONRPC', 'https://elsewhere.test/rpc');
const BASE = at('HTTP+JSON', HOME);

describe('7.3(12): where an agent is called, by what its card says', () => {
  test.each<[string, AgentInterface[], AgentInterface[]]>([
    ['HTTP+JSON before JSON-RPC', [RPC, REST, FAR_REST], [REST]],
    ['JSON-RPC where there is nothing else', [RPC, FAR_REST], [RPC]],
    ['at the address itself where the card names none', [], [BASE]],
    ['at the address itself where the card names only what is not spoken', [at('GRPC', 'agent.test:1')], [BASE]],
    ['at the address itself where the card is of another version', [at('JSONRPC', HOME, { protocolVersion: '0.3.0' })], [BASE]],
    ['at the address itself where the card has no addresses that lead anywhere', [at('JSONRPC', '/rpc'), at('HTTP+JSON', '')], [BASE]],
    ['at the address itself where a proxy hides that of the card', [FAR_RPC, FAR_REST], [BASE]],
    ['elsewhere where it can not be called at the address itself', [FAR_RPC], [FAR_RPC]],
  ])('%s', (_name, supportedInterfaces, expected) => {
    expect(interfacesFor(cardWith({ supportedInterfaces }), { url: HOME, basePath: '' })).toEqual(expected);
  });

  test('a base path settles it', () => {
    const card = cardWith({ supportedInterfaces: [REST, RPC] });
    expect(interfacesFor(card, { url: `${HOME}/?x=1`, basePath: '/v1' })).toEqual([at('HTTP+JSON', `${HOME}/v1?x=1`)]);
  });

  test('the names of this machine are the same place', () => {
    const near = at('HTTP+JSON', 'http://localhost:4000/rest');
    const other = at('HTTP+JSON', 'http://localhost:4001/rest');
    const home = { url: 'http://127.0.0.1:4000', basePath: '' };
    expect(interfacesFor(cardWith({ supportedInterfaces: [other, near] }), home)).toEqual([near]);
  });
});
