import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { A2ATransportError } from '../../protocol/client-errors.js';
import { A2AError } from '../../protocol/errors.js';
import type { AgentCard } from '../../protocol/types.js';
import { manualClock } from '../../testing/manual-clock.js';
import type { ClientCall, ClientReply, Send } from '../call.js';
import { createBudget } from '../resilience/budget.js';
import { apiKey } from './api-key.js';
import { authenticate } from './authenticate.js';
import type { AuthRequest, Credentials } from './credentials.js';
import { basicAuth, bearerToken } from './http-auth.js';
import { originRule } from './origins.js';

const HOME = 'https://agent.test/.well-known/agent-card.json';
const CARD: AgentCard = {
  name: 'Agent',
  description: '',
  version: '1',
  supportedInterfaces: [],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};

describe('sent material', () => {
  test('a token is sent as a Bearer header', async () => {
    const { send, seen } = peer();
    await authenticate(bearerToken('t1'))(send)(call());
    expect(seen.map(({ headers }) => headers)).toEqual([{ authorization: 'Bearer t1' }]);
  });

  test('a token function is called for each call, and undefined sends nothing', async () => {
    const { send, seen } = peer();
    const tokens = ['a', undefined, 'b'];
    const authenticated = authenticate(bearerToken(async () => tokens.shift()))(send);
    for (let n = 0; n < 3; n += 1) await authenticated(call());
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer a', undefined, 'Bearer b']);
  });

  test('user name and password are sent as UTF-8', async () => {
    const { send, seen } = peer();
    await authenticate(basicAuth('jürgen', 'p:ä'))(send)(call());
    expect(Buffer.from(seen[0]?.headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString()).toBe('jürgen:p:ä');
  });

  test('a key is sent in the query or a cookie, in addition to cookies of the caller', async () => {
    const { send, seen } = peer();
    await authenticate(apiKey('k', { name: 'key', in: 'query' }))(send)(call());
    await authenticate(apiKey('k', { name: 'key', in: 'cookie' }))(send)(call({ headers: { cookie: 'theme=dark' } }));
    await authenticate(apiKey('k', { name: 'key', in: 'cookie' }))(send)(call());
    expect(seen.map(({ query, headers }) => [query, headers.cookie])).toEqual([
      [{ key: 'k' }, undefined],
      [undefined, 'theme=dark; key=k'],
      [undefined, 'key=k'],
    ]);
  });

  test('a header that the caller sets wins', async () => {
    const { send, seen } = peer();
    await authenticate(bearerToken('mine'))(send)(call({ headers: { authorization: 'Custom x' } }));
    expect(seen[0]?.headers).toEqual({ authorization: 'Custom x' });
  });

  test('the given call is not modified', async () => {
    const { send } = peer();
    const given = Object.freeze(call());
    await authenticate(apiKey('k', { name: 'key', in: 'query' }))(send)(given);
    expect(given).toMatchObject({ headers: {} });
    expect(given.query).toBeUndefined();
  });

  test('without credentials a call passes unchanged', async () => {
    const { send, seen } = peer();
    const given = call();
    await authenticate(undefined)(send)(given);
    expect(seen[0]).toBe(given);
  });

  test('A24: a call uses its own credentials instead of the client’s, or none', async () => {
    const { send, seen } = peer();
    const authenticated = authenticate(bearerToken('client'))(send);
    await authenticated(call({ credentials: bearerToken('call') }));
    await authenticated(call({ credentials: null }));
    await authenticated(call());
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer call', undefined, 'Bearer client']);
  });

  test('A24: credentials receive the scopes of the call', async () => {
    const asked: AuthRequest[] = [];
    await authenticate(spy(asked))(peer().send)(call({ scopes: ['admin'] }));
    expect(asked[0]?.scopes).toEqual(['admin']);
  });

  test('the request for the card is authenticated too, without a card', async () => {
    const asked: AuthRequest[] = [];
    const { send, seen } = peer();
    await authenticate(spy(asked))(send)(cardCall(HOME));
    expect(asked).toMatchObject([{ url: HOME, card: undefined }]);
    expect(seen[0]?.headers).toEqual({ authorization: 'Bearer 1' });
  });
});

describe('after a refusal', () => {
  test('new material is requested once, with the refused material, and sent', async () => {
    const asked: AuthRequest[] = [];
    const { send, seen } = peer(refusal('Bearer error="invalid_token"'));
    await authenticate(spy(asked))(send)(call());
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer 1', 'Bearer 2']);
    expect(asked[1]?.refused).toMatchObject({
      material: { headers: { authorization: 'Bearer 1' } },
      challenge: 'Bearer error="invalid_token"',
    });
  });

  test('a second refusal is returned to the caller', async () => {
    const { send, seen } = peer(refusal(), refusal());
    await expect(authenticate(spy([]))(send)(call())).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
    expect(seen).toHaveLength(2);
  });

  test('a 401 with another reason counts as a refusal', async () => {
    const { send, seen } = peer(new A2AError('INTERNAL_ERROR', 'unreadable', { httpStatus: 401 }));
    await authenticate(spy([]))(send)(call());
    expect(seen).toHaveLength(2);
  });

  test('identical material is not sent again', async () => {
    const { send, seen } = peer(refusal());
    await expect(authenticate(bearerToken('fixed'))(send)(call())).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
    expect(seen).toHaveLength(1);
  });

  test('the call is not repeated with no material, or if the caller’s header overrides the difference', async () => {
    const first = peer(refusal());
    const tokens = ['once'];
    await expect(authenticate(bearerToken(() => tokens.pop()))(first.send)(call())).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
    const second = peer(refusal());
    const own = call({ headers: { authorization: 'Custom x' } });
    await expect(authenticate(spy([]))(second.send)(own)).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
    expect([first.seen.length, second.seen.length]).toEqual([1, 1]);
  });

  test('other failures and expired deadlines are not retried', async () => {
    const forbidden = peer(new A2AError('INSUFFICIENT_SCOPE', 'no'));
    await expect(authenticate(spy([]))(forbidden.send)(call())).rejects.toMatchObject({ reason: 'INSUFFICIENT_SCOPE' });
    const late = peer(refusal());
    const clock = manualClock();
    const budget = createBudget({ clock, deadline: clock.now() });
    await expect(authenticate(spy([]))(late.send)(call({ budget }))).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
    expect([forbidden.seen.length, late.seen.length]).toEqual([1, 1]);
  });

  test('a refusal by another agent behind this one is not retried: work may have been done', async () => {
    const downstreamError = { code: -31001, reason: 'AUTH_REQUIRED', message: 'no' };
    const chain = [{ currentAgent: 'a', downstreamAgent: 'b', downstreamError, retryable: false }];
    const { send, seen } = peer(new A2AError('AUTH_REQUIRED', 'b refused', { chain }));
    await expect(authenticate(spy([]))(send)(call())).rejects.toMatchObject({ message: 'b refused' });
    expect(seen).toHaveLength(1);
  });

  test('failing credentials are not treated as a refusal', async () => {
    const { send, seen } = peer();
    let asked = 0;
    const broken: Credentials = {
      get() {
        asked += 1;
        throw new Error('vault down at secret-host');
      },
    };
    const thrown = await authenticate(broken)(send)(call()).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ reason: 'AUTH_REQUIRED', message: 'Credentials for https://agent.test could not be obtained' });
    expect([asked, seen.length]).toEqual([1, 0]);
  });
});

describe('F69: the origins that receive credentials and headers of the caller', () => {
  const cases: readonly [string, string, readonly string[], boolean][] = [
    ['the card’s own origin', 'https://agent.test/a2a', [], true],
    ['another port of its host', 'https://agent.test:8443/a2a', [], false],
    ['another port of its host in allowOrigins', 'https://agent.test:8443/a2a', ['https://agent.test:8443'], true],
    ['its host without TLS', 'http://agent.test/a2a', [], false],
    ['a subdomain', 'https://api.agent.test/a2a', [], false],
    ['a host with a similar name', 'https://agent.test.evil.test/a2a', [], false],
    ['another host, with a user name that looks like the trusted host', 'https://agent.test@evil.test/a2a', [], false],
    ['an origin in allowOrigins', 'https://api.test/a2a', ['https://api.test/'], true],
    ['another port of an origin in allowOrigins', 'https://api.test:8443/a2a', ['https://api.test'], false],
    ['its origin in gRPC notation', 'agent.test:443', [], true],
    ['another port of its host in gRPC notation', 'agent.test:50051', [], false],
    ['another host in gRPC notation', 'evil.test:50051', [], false],
    ['a loopback name, for an agent on another host', 'https://localhost/a2a', [], false],
    ['an invalid address', 'data:text/plain,x', [], false],
  ];
  for (const [name, url, allowOrigins, allowed] of cases) {
    test(`${name}: ${allowed ? 'both are sent' : 'the call is refused before it is sent'}`, async () => {
      const rule = originRule(allowOrigins);
      const ways: readonly { credentials: Credentials | undefined; headers: Record<string, string> }[] = [
        { credentials: bearerToken('s3cret'), headers: {} },
        { credentials: undefined, headers: { 'x-api-key': 's3cret' } },
      ];
      for (const { credentials, headers } of ways) {
        const { send, seen } = peer();
        const sent = authenticate(credentials, rule)(send)(call({ headers }, [url]));
        if (allowed) await sent;
        else await expect(sent).rejects.toMatchObject({ reason: 'INVALID_REQUEST', message: expect.stringContaining('allowOrigins') });
        expect(seen).toHaveLength(allowed ? 1 : 0);
      }
    });
  }

  test('all loopback names are one host', async () => {
    const { send, seen } = peer();
    const given = call({}, ['http://127.0.0.1:4000/a2a']);
    for (const key of ['http://localhost:4000/card', 'http://[::1]:4000', 'http://127.8.8.8:4000']) {
      await authenticate(bearerToken('t'))(send)({ ...given, peer: { ...given.peer, key } });
    }
    expect(seen).toHaveLength(3);
  });

  test('a trace may be sent to every address that the client calls', async () => {
    const { send, seen } = peer();
    const traced = { traceparent: 'trace', tracestate: 'state' };
    await authenticate(undefined)(send)(call({ headers: traced }, ['https://agent.test:8443/a2a']));
    expect(seen[0]?.headers).toEqual(traced);
  });

  test('interfaces on other hosts are skipped if one is on the agent’s host', async () => {
    const { send, seen } = peer();
    await authenticate(bearerToken('t'))(send)(call({}, ['https://evil.test/a2a', 'https://agent.test/rpc', 'https://agent.test/rest']));
    expect(seen[0]?.peer.interfaces.map(({ url }) => url)).toEqual(['https://agent.test/rpc', 'https://agent.test/rest']);
  });

  test('without credentials and headers a call may go to every interface of the peer', async () => {
    const { send, seen } = peer();
    await authenticate(bearerToken('t'))(send)(call({ credentials: null }, ['https://elsewhere.test/a2a']));
    expect(seen[0]?.headers).toEqual({});
  });

  const PORTS = originRule(['https://agent.test:1', 'https://agent.test:2']);

  test('each origin gets its own material if the first cannot be reached', async () => {
    const { send, seen } = peer(new A2ATransportError('network', 'refused', { sent: false }));
    const byUrl: Credentials = { get: ({ url }) => ({ headers: { authorization: `Bearer ${new URL(url).port}` } }) };
    await authenticate(byUrl, PORTS)(send)(call({}, ['https://agent.test:1/a', 'https://agent.test:2/b', 'https://agent.test:1/c']));
    expect(seen.map(({ peer: at, headers }) => [at.interfaces.map(({ url }) => url), headers.authorization])).toEqual([
      [['https://agent.test:1/a', 'https://agent.test:1/c'], 'Bearer 1'],
      [['https://agent.test:2/b'], 'Bearer 2'],
    ]);
  });

  test('a request that was sent is not sent to a second origin', async () => {
    const { send, seen } = peer(new A2ATransportError('network', 'reset', { sent: true }));
    const sent = authenticate(bearerToken('t'), PORTS)(send)(call({}, ['https://agent.test:1/a', 'https://agent.test:2/b']));
    await expect(sent).rejects.toMatchObject({ message: 'reset' });
    expect(seen).toHaveLength(1);
  });

  test('an invalid origin is refused immediately', () => {
    for (const bad of ['api.test', 'https://api.test/path', 'https://user@api.test', '*', '']) {
      expect(() => originRule([bad])).toThrow(/allowOrigins must contain origins/);
    }
  });
});

describe('invalid values', () => {
  test('a token that no header can carry is refused immediately and not quoted', () => {
    for (const bad of ['s3cret\nx: y', 's3cret\r', 's3cret x', 's3crét', '']) {
      const thrown = thrownBy(() => bearerToken(bad));
      expect(thrown).toMatchObject({ reason: 'INVALID_PARAMS' });
      expect(String(thrown)).not.toContain('s3cr');
    }
    expect(thrownBy(() => apiKey('s3cret\n', { name: 'x-key' }))).toMatchObject({ reason: 'INVALID_PARAMS' });
    expect(thrownBy(() => apiKey('a;b', { name: 'key', in: 'cookie' }))).toMatchObject({ reason: 'INVALID_PARAMS' });
    expect(thrownBy(() => apiKey('k', { name: '' }))).toMatchObject({ reason: 'INVALID_PARAMS' });
    expect(thrownBy(() => basicAuth('a:b', 'c'))).toMatchObject({ reason: 'INVALID_PARAMS' });
    expect(thrownBy(() => basicAuth('a', 'c\n'))).toMatchObject({ reason: 'INVALID_PARAMS' });
  });

  test('the result of a token function or of custom credentials is checked before it is sent', async () => {
    const { send, seen } = peer();
    const sources: readonly Credentials[] = [
      bearerToken(() => 's3cret\nx: y'),
      { get: () => ({ headers: { authorization: 's3cret\nx: y' } }) },
      { get: () => ({ headers: { 's3cret\n': 'x' } }) },
      { get: () => ({ cookies: { a: 's3cret; b=c' } }) },
      { get: () => ({ query: { a: '' } }) },
    ];
    for (const source of sources) {
      const thrown: unknown = await authenticate(source)(send)(call()).catch((error: unknown) => error);
      expect(thrown).toMatchObject({ reason: 'INVALID_PARAMS' });
      expect(String(thrown)).not.toContain('s3cret');
    }
    expect(seen).toHaveLength(0);
  });
});

describe('a caller that aborts', () => {
  test('does not wait for credentials that never arrive, and leaves no listener', async () => {
    const { send, seen } = peer();
    const leaving = new AbortController();
    const sent = authenticate({ get: () => new Promise(() => {}) })(send)(call({ signal: leaving.signal }));
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(1);
    leaving.abort();
    await expect(sent).rejects.toMatchObject({ reason: 'ABORTED' });
    await expect(authenticate(bearerToken('t'))(send)(call({ signal: leaving.signal }))).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(seen).toHaveLength(0);
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(0);
  });
});

/** Fails each call with the next of these errors, then succeeds. */
function peer(...failures: Error[]): { readonly send: Send; readonly seen: ClientCall[] } {
  const seen: ClientCall[] = [];
  const reply: ClientReply = { kind: 'value', value: {}, extensions: [] };
  return {
    seen,
    async send(one) {
      seen.push(one);
      const failure = failures.shift();
      if (failure) throw failure;
      return reply;
    },
  };
}

/** Credentials that return a new token each time. */
function spy(asked: AuthRequest[]): Credentials {
  return {
    async get(request) {
      asked.push(request);
      return { headers: { Authorization: `Bearer ${asked.length}` } };
    },
  };
}

function refusal(challenge?: string): A2AError {
  return new A2AError('AUTH_REQUIRED', 'credentials are required', { challenge });
}

function call(more: Partial<ClientCall> = {}, urls: readonly string[] = ['https://agent.test/a2a']): ClientCall {
  const interfaces = urls.map((url) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }));
  return {
    method: 'GetTask',
    params: { id: 't' },
    peer: { key: HOME, name: 'Agent', card: CARD, interfaces, log: { lastEventId: false, idempotencyKey: false } },
    requestId: 'r',
    attempt: 1,
    headers: {},
    extensions: [],
    signal: undefined,
    timeouts: {},
    budget: createBudget({ clock: manualClock() }),
    ...more,
  };
}

function cardCall(url: string): ClientCall {
  const { peer: at, ...rest } = call();
  return { ...rest, method: 'GetAgentCard', params: { url }, peer: { ...at, card: undefined, interfaces: [] } };
}

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
