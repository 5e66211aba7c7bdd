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

describe('7.3(12): choosing the interface from the card', () => {
  test.each<[string, AgentInterface[], AgentInterface[]]>([
    ['HTTP+JSON is preferred to JSON-RPC', [RPC, REST, FAR_REST], [REST]],
    ['JSON-RPC is used if the same origin offers nothing else', [RPC, FAR_REST], [RPC]],
    ['the given address is used if the card names no interface', [], [BASE]],
    ['the given address is used if the card names only unsupported bindings', [at('GRPC', 'agent.test:1')], [BASE]],
    [
      'an interface of A2A 0.3 is used',
      [at('JSONRPC', HOME, { protocolVersion: '0.3.0' })],
      [at('JSONRPC', HOME, { protocolVersion: '0.3.0' })],
    ],
    ['the given address is used if the card names another protocol version', [at('JSONRPC', HOME, { protocolVersion: '0.1.0' })], [BASE]],
    ['the given address is used if the card has no valid URLs', [at('JSONRPC', '/rpc'), at('HTTP+JSON', '')], [BASE]],
    ['the given address is used if the card names only other origins', [FAR_RPC, FAR_REST], [BASE]],
    ['another origin is used if it offers only JSON-RPC', [FAR_RPC], [FAR_RPC]],
  ])('%s', (_name, supportedInterfaces, expected) => {
    expect(interfacesFor(cardWith({ supportedInterfaces }), { url: HOME, basePath: '' })).toEqual(expected);
  });

  test('a base path overrides the card', () => {
    const card = cardWith({ supportedInterfaces: [REST, RPC] });
    expect(interfacesFor(card, { url: `${HOME}/?x=1`, basePath: '/v1' })).toEqual([at('HTTP+JSON', `${HOME}/v1?x=1`)]);
  });

  test('different names of this machine count as the same host', () => {
    const near = at('HTTP+JSON', 'http://localhost:4000/rest');
    const other = at('HTTP+JSON', 'http://localhost:4001/rest');
    const home = { url: 'http://127.0.0.1:4000', basePath: '' };
    expect(interfacesFor(cardWith({ supportedInterfaces: [other, near] }), home)).toEqual([near]);
  });
});
