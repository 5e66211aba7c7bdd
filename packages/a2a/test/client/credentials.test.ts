// Credentials from the options of the client to the request that the agent receives, over both bindings.
import { describe, expect, test } from 'vitest';
import { bearerToken, apiKey as byKey, type ClientOptions, chooseCredentials, createClient, type Reply } from '../../src/client/index.js';
import type { LogFields, Logger } from '../../src/platform/logger.js';
import { apiKey, bearer, type Security } from '../../src/protocol/security.js';
import type { AgentCard } from '../../src/protocol/types.js';
import { BINDINGS, serve } from './served-agent.js';

for (const binding of BINDINGS) {
  describe(binding, () => {
    test('an API key is sent where the card declares it: header, query or cookie', async () => {
      for (const location of ['header', 'query', 'cookie'] as const) {
        const { options, requests } = served(apiKey('k', { location }), () => true);
        const client = createClient('http://test', { ...options, credentials: byKey('s3cret') });
        expect((await client.send('hi')).text).toBe('hi');
        const { path = '', headers = {} } = requests.at(-1) ?? {};
        const keys = { header: headers.k, query: new URL(path, 'http://test').searchParams.get('k'), cookie: headers.cookie };
        expect(Object.entries(keys).filter(([, value]) => value)).toEqual([[location, location === 'cookie' ? 'k=s3cret' : 's3cret']]);
      }
    });

    test('a refused token is replaced once, for calls and for streams', async () => {
      let current = 'old';
      const tokens = ['old', 'old', 'new', 'new', 'newer'];
      const { options, requests } = served(bearer(), (token) => token === `Bearer ${current}`);
      const client = createClient('http://test', { ...options, credentials: chooseCredentials(bearerToken(() => tokens.shift())) });
      await client.card();
      current = 'new';
      expect((await client.send('hi')).text).toBe('hi');
      current = 'newer';
      const run = client.run('hello');
      expect((await run.result).text).toBe('hello');
      const shown = requests.slice(1).map(({ headers }) => headers.authorization);
      expect(shown).toEqual(['Bearer old', 'Bearer new', 'Bearer new', 'Bearer newer']);
    });

    test('a final refusal is AUTH_REQUIRED, and neither the error nor the log contains the secret', async () => {
      const lines: unknown[] = [];
      const { options, requests } = served(apiKey('k', { location: 'query' }), () => false);
      const client = createClient('http://test', { ...options, credentials: byKey('s3cret'), logger: logInto(lines) });
      const thrown: unknown = await client.send('hi').catch((error: unknown) => error);
      expect(thrown).toMatchObject({ reason: 'AUTH_REQUIRED', challenge: 'ApiKey' });
      expect(requests).toHaveLength(2);
      expect(everythingIn([thrown, lines])).not.toContain('s3cret');
    });

    function served(security: Security, isRight: (authorization: string | undefined) => boolean) {
      return serve({ security, auth: (request) => (isRight(request.header('authorization')) ? { id: 'me' } : undefined) }, { binding });
    }
  });
}

test('F69: when the card points to another host, no request is sent there until allowOrigins names it', async () => {
  for (const place of ['http://169.254.169.254', 'http://127.0.0.1:22', 'http://elsewhere.test']) {
    for (const more of [{}, { headers: { 'x-api-key': 's3cret' } }, { credentials: bearerToken('s3cret') }]) {
      const { seen, options } = leading(place);
      const common = { ...options, ...more };
      await expect(createClient('http://test', common).send('hi')).rejects.toMatchObject({
        name: 'A2AInvalidCardError',
        message:
          `The card of echo (http://test) has no interface on its own host, only on ${place}: ` +
          'add that origin to allowOrigins to call the agent there',
      });
      expect(new Set(seen.map(({ origin }) => origin))).toEqual(new Set(['http://test']));
      const trusting = createClient('http://test', { ...common, allowOrigins: [place] });
      expect((await trusting.send('hi')).text).toBe('hi');
      expect(seen.at(-1)).toMatchObject({ origin: place, ...('credentials' in more && { authorization: 'Bearer s3cret' }) });
    }
  }
});

test('F69: when the card points to another port of its host, only calls without credentials and headers are sent there', async () => {
  const ways: readonly [string, (options: ClientOptions) => Promise<Reply>][] = [
    ['headers', (options) => createClient('http://test', { ...options, headers: SECRET }).send('hi')],
    ['headers', (options) => createClient('http://test', { ...options, headers: async () => SECRET }).send('hi')],
    ['headers', (options) => createClient('http://test', options).withHeaders(SECRET).send('hi')],
    ['headers', (options) => createClient('http://test', options).send('hi', { headers: SECRET })],
    ['headers', (options) => createClient('http://test', options).send('hi', { headers: SECRET, credentials: null })],
    ['headers', (options) => createClient('http://test', options).run('hi', { headers: SECRET }).result],
    ['credentials', (options) => createClient('http://test', { ...options, credentials: bearerToken('s3cret') }).send('hi')],
  ];
  for (const [index, [name, send]] of ways.entries()) {
    const { seen, options } = leading('http://test:8080');
    const whose = name === 'headers' ? 'The header x-api-key is' : 'The credentials are';
    await expect(send(options), String(index)).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message: expect.stringContaining(
        `${whose} for http://test, but the call would go to http://test:8080: add that origin to allowOrigins, or call without`,
      ),
    });
    expect(new Set(seen.map(({ origin }) => origin)), String(index)).toEqual(new Set(['http://test']));
    expect((await send({ ...options, allowOrigins: ['http://test:8080'] })).text, String(index)).toBe('hi');
  }
  const { seen, options } = leading('http://test:8080');
  expect((await createClient('http://test', { ...options, trace: () => TRACE }).send('hi')).text).toBe('hi');
  expect(seen.at(-1)).toMatchObject({ origin: 'http://test:8080', traceparent: TRACE });
});

test('F69: the names of the loopback host are one host for a card from loopback; a card given as an object has the host of its URL', async () => {
  const { seen, options } = leading('http://127.0.0.1:4000');
  expect((await createClient('http://localhost:4000', { ...options, headers: SECRET }).send('hi')).text).toBe('hi');
  expect(seen.at(-1)).toMatchObject({ origin: 'http://127.0.0.1:4000', key: 's3cret' });
  const card = await createClient('http://localhost:4000', options).card();
  const [at] = card.supportedInterfaces;
  const own = { ...card, supportedInterfaces: [{ ...at, url: 'http://agent.test/' }, ...card.supportedInterfaces] } as AgentCard;
  await createClient(own, { ...options, headers: SECRET }).send('hi');
  expect(seen.at(-1)).toMatchObject({ origin: 'http://agent.test', key: 's3cret' });
});

describe('F69: a card given as an object belongs to the host of its first interface that the client can use', () => {
  const at = (protocolBinding: string, url: string, protocolVersion = '1.0') => ({ protocolBinding, url, protocolVersion });
  const rpc = at('JSONRPC', 'http://api.test/');

  test.each([
    ['after a gRPC address without a scheme', [at('GRPC', 'grpc.test:443'), rpc], {}],
    ['after a gRPC address with a scheme', [at('GRPC', 'https://grpc.test'), rpc], {}],
    ['after a relative URL', [at('JSONRPC', '/rpc'), rpc], {}],
    ['after a URL with a user', [at('JSONRPC', 'http://me@other.test/'), rpc], {}],
    ['after an old version', [at('JSONRPC', 'http://old.test/', '0.3'), rpc], {}],
    ['after a binding that is not preferred', [at('HTTP+JSON', 'http://rest.test/'), rpc], { prefer: 'jsonrpc' }],
  ] as const)('F69: %s', async (_, supportedInterfaces, more) => {
    const { seen, options } = leading('http://api.test');
    const card: AgentCard = { ...(await createClient('http://test', options).card()), supportedInterfaces: [...supportedInterfaces] };
    seen.length = 0;
    const client = createClient(card, { ...options, ...more, headers: SECRET });
    expect((await client.send('hi')).text).toBe('hi');
    expect(seen).toMatchObject([{ origin: 'http://api.test', key: 's3cret' }]);
  });

  test('F69: the card is requested from the first address over HTTP, and an unusable card is refused as before', async () => {
    const { seen, options } = leading('http://api.test');
    const card = await createClient('http://test', options).card();
    const given = (...supportedInterfaces: AgentCard['supportedInterfaces']) => createClient({ ...card, supportedInterfaces }, options);
    await given(at('GRPC', 'grpc.test:443'), rpc).ping();
    expect(seen.at(-1)).toMatchObject({ origin: 'http://api.test' });
    const old = at('JSONRPC', 'http://old.test/', '0.1');
    await expect(given(at('GRPC', 'grpc.test:443'), old).send('hi')).rejects.toThrow('0.1');
    await expect(given(at('GRPC', 'grpc.test:443')).send('hi')).rejects.toThrow('has no interface that this client supports');
    await expect(given(at('JSONRPC', '/rpc')).send('hi')).rejects.toThrow('has no interface with an absolute URL');
  });
});

test('F69: an address of the caller is allowed on another host than that of the card', async () => {
  const { seen, options } = leading('http://agent.test');
  const cardPath = 'http://registry.test/.well-known/agent-card.json';
  await createClient('http://agent.test', { ...options, cardPath, headers: SECRET }).send('hi');
  expect(seen.map(({ origin, key }) => [origin, key])).toEqual([
    ['http://registry.test', 's3cret'],
    ['http://agent.test', 's3cret'],
  ]);
});

test('a card that is not public is fetched with credentials, and they are renewed after a refusal', async () => {
  const { options } = serve({ auth: () => ({ id: 'me' }) });
  const tokens = ['old', 'new', 'new', 'new'];
  const guarded: typeof fetch = async (input, init) => {
    if (new Headers(init?.headers).get('authorization') === 'Bearer new') return (options.fetch ?? fetch)(input, init);
    return new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  };
  const client = createClient('http://test', { retry: false, fetch: guarded, credentials: bearerToken(() => tokens.shift()) });
  expect((await client.card()).name).toBe('echo');
  expect((await client.send('hi')).text).toBe('hi');
});

const SECRET = { 'X-Api-Key': 's3cret' };
const TRACE = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;

/** An agent that answers at every address, and whose card points to `place`. */
function leading(place: string) {
  const { options } = serve({ auth: () => ({ id: 'me' }) });
  const seen: { origin: string; authorization: string | null; key: string | null; traceparent: string | null }[] = [];
  const fetchThere: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    const [authorization, key, traceparent] = ['authorization', 'x-api-key', 'traceparent'].map((name) => headers.get(name));
    seen.push({ origin: url.origin, authorization: authorization ?? null, key: key ?? null, traceparent: traceparent ?? null });
    const response = await (options.fetch ?? fetch)(`http://test${url.pathname}`, init);
    const text = (await response.text()).replaceAll('http://test', place);
    return new Response(text, { status: response.status, headers: { 'content-type': response.headers.get('content-type') ?? '' } });
  };
  return { seen, options: { retry: false, fetch: fetchThere } as const };
}

function logInto(lines: unknown[]): Logger {
  const line = (fields: LogFields, text: string): void => {
    lines.push({ fields, text });
  };
  return { debug: line, info: line, warn: line, error: line };
}

/** Everything that could be printed, including causes. */
function everythingIn(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || depth > 8) return String(value);
  return Reflect.ownKeys(value)
    .map((key) => everythingIn(Reflect.get(value, key), depth + 1))
    .join('\n');
}
