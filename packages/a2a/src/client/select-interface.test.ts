import { describe, expect, test } from 'vitest';
import { at, cardWith } from '../../test/client/scripted-agent.js';
import { A2AIncompatibleProtocolVersionError, A2AInvalidCardError } from '../protocol/errors.js';
import type { AgentInterface } from '../protocol/types.js';
import { selectInterface } from './select-interface.js';

const SPEAKS = ['JSONRPC', 'HTTP+JSON'];
const rpc = at('JSONRPC', 'http://a.test/rpc');
const rest = at('HTTP+JSON', 'http://a.test/rest');
const grpc = at('GRPC', 'a.test:443');
const own = at('https://bindings.test/pigeon', 'pigeon:7');

const select = (supportedInterfaces: readonly AgentInterface[], more: Partial<Parameters<typeof selectInterface>[1]> = {}) =>
  selectInterface(cardWith({ supportedInterfaces }), { speaks: SPEAKS, ...more });

describe('choosing an interface', () => {
  const rows: [string, readonly AgentInterface[], Parameters<typeof select>[1], AgentInterface][] = [
    ['the first of the card', [rest, rpc], {}, rest],
    ['the preferred binding, at any position', [rest, rpc], { prefer: 'jsonrpc' }, rpc],
    ['the one at the agent’s own address', [rest, rpc], { url: 'http://a.test/rpc' }, rpc],
    ['the one at the agent’s own address, with or without a trailing slash', [rest, rpc], { url: 'HTTP://A.test/rpc/' }, rpc],
    ['the preferred binding before the own address', [rest, rpc], { prefer: 'rest', url: 'http://a.test/rpc' }, rest],
    ['the first supported one; unknown bindings are skipped', [own, grpc, rpc], {}, rpc],
    ['the first with a supported version', [at('JSONRPC', 'http://a.test/', { protocolVersion: '0.3' }), rest], {}, rest],
    ['the first with a usable URL', [at('JSONRPC', '/rpc'), rest], {}, rest],
  ];
  test.each(rows)('G38: %s', (_, interfaces, options, expected) => {
    expect(select(interfaces, options).chosen).toBe(expected);
  });

  test('G38: bindings are compared case-insensitively', () => {
    const small = at('jsonrpc', 'http://a.test/');
    expect(select([small]).chosen).toBe(small);
  });

  test('G38: at most eight of thousands of interfaces are called, including the preferred one at any position', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => at('JSONRPC', `http://a.test/${index}`));
    const { chosen, fallbacks } = select([own, grpc, ...many, rest], { prefer: 'rest' });
    expect([chosen, ...fallbacks]).toEqual([rest, ...many.slice(0, 7)]);
  });

  test('G38: the same interface object is chosen, not another of the same binding, and the rest are fallbacks', () => {
    const old = at('JSONRPC', 'http://a.test/old', { protocolVersion: '0.3' });
    const second = at('JSONRPC', 'http://a.test/second');
    const { chosen, fallbacks } = select([own, old, second, rpc, rest], { url: 'http://a.test/rpc' });
    expect(chosen).toBe(rpc);
    expect(fallbacks).toEqual([second, rest]);
    expect(fallbacks[0]).toBe(second);
  });

  test('G38: a card without the preferred binding is invalid', () => {
    expect(() => select([rpc], { prefer: 'rest' })).toThrow(A2AInvalidCardError);
    expect(() => select([rpc], { prefer: 'rest' })).toThrow(/no HTTP\+JSON interface: JSONRPC at http:\/\/a.test\/rpc/);
    expect(() => select([rpc, grpc], { prefer: 'grpc' })).toThrow(A2AInvalidCardError);
  });
});

describe('cards that cannot be called', () => {
  const rows: [string, readonly AgentInterface[]][] = [
    ['no interface', []],
    ['empty URLs', [at('JSONRPC', ''), at('HTTP+JSON', ' ')]],
    ['only unknown bindings', [own, grpc]],
    ['a relative URL', [at('JSONRPC', '/rpc')]],
    ['a URL with a user name', [at('JSONRPC', 'http://me:secret@a.test/')]],
    ['a URL that is not HTTP', [at('JSONRPC', 'file:///etc/passwd')]],
  ];
  test.each(rows)('G39: a card with %s is invalid, and the error names its address', (_, interfaces) => {
    const attempt = () => select(interfaces, { url: 'http://home.test' });
    expect(attempt).toThrow(A2AInvalidCardError);
    expect(attempt).toThrow(/http:\/\/home.test/);
  });
});

describe('F69: addresses that the client may not call', () => {
  const mayCall = (url: string): boolean => new URL(url).hostname === 'a.test';

  test('are skipped, also as fallbacks', () => {
    const interfaces = [at('JSONRPC', 'http://b.test/'), at('JSONRPC', 'http://a.test:1/'), at('HTTP+JSON', 'http://c.test/')];
    expect(select(interfaces, { mayCall })).toEqual({ chosen: interfaces[1], fallbacks: [] });
  });

  test('are named in the error if no other address is left', () => {
    const interfaces = [at('JSONRPC', 'http://b.test/rpc'), at('HTTP+JSON', 'https://c.test:8443/')];
    expect(() => select(interfaces, { mayCall, url: 'http://a.test' })).toThrow(
      'has no interface on its own host, only on http://b.test, https://c.test:8443: add those that you trust to allowOrigins',
    );
  });
});

describe('supported versions', () => {
  test.each(['1.0', '1.0.0', '1.7', '', 'abc', ' 1.0 '])('G40: version %j is accepted', (protocolVersion) => {
    expect(select([at('JSONRPC', 'http://a.test/', { protocolVersion })]).chosen.protocolVersion).toBe(protocolVersion);
  });

  test.each(['0.3', '0.3.0', '0.2.6', '0', '2.0'])(
    'G40: version %j is refused with its address, binding and version',
    (protocolVersion) => {
      const attempt = () => select([at('JSONRPC', 'http://a.test/', { protocolVersion })]);
      expect(attempt).toThrow(A2AIncompatibleProtocolVersionError);
      expect(attempt).toThrow(expect.objectContaining({ url: 'http://a.test/', binding: 'JSONRPC', version: protocolVersion }));
    },
  );

  test('G40: the version of a preferred binding does not cause a fallback to another binding', () => {
    const old = at('JSONRPC', 'http://a.test/', { protocolVersion: '0.3' });
    expect(() => select([old, rest], { prefer: 'jsonrpc' })).toThrow(A2AIncompatibleProtocolVersionError);
  });
});
