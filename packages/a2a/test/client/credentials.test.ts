// Credentials from the options of the client to the request that the agent receives, over both bindings.
import { describe, expect, test } from 'vitest';
import { bearerToken, apiKey as byKey, type ClientOptions, chooseCredentials, createClient, type Reply } from '../../src/client/index.js';
import type { LogFields, Logger } from '../../src/platform/logger.js';
import { apiKey, bearer, type Security } from '../../src/protocol/security.js';
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

test('when the card points to another origin, no request is sent there until trustedOrigins names it', async () => {
  const { seen, options } = leading();
  const common = { ...options, credentials: bearerToken('s3cret') };
  await expect(createClient('http://test', common).send('hi')).rejects.toMatchObject({
    reason: 'INVALID_REQUEST',
    message: expect.stringContaining('http://elsewhere.test: add that origin to trustedOrigins'),
  });
  expect(seen).toEqual(['http://test Bearer s3cret']);
  const trusting = createClient('http://test', { ...common, trustedOrigins: ['http://elsewhere.test'] });
  expect((await trusting.send('hi')).text).toBe('hi');
  expect(seen.at(-1)).toBe('http://elsewhere.test Bearer s3cret');
});

test('when the card points to another origin, no secret header is sent there, wherever it was set', async () => {
  const secret = { Authorization: 'Bearer s3cret' };
  const ways: readonly [string, (options: ClientOptions) => Promise<Reply>][] = [
    ['client', (options) => createClient('http://test', { ...options, headers: secret }).send('hi')],
    ['function', (options) => createClient('http://test', { ...options, headers: async () => secret }).send('hi')],
    ['withHeaders', (options) => createClient('http://test', options).withHeaders(secret).send('hi')],
    ['call', (options) => createClient('http://test', options).send('hi', { headers: secret })],
    ['call without credentials', (options) => createClient('http://test', options).send('hi', { headers: secret, credentials: null })],
    ['run', (options) => createClient('http://test', options).run('hi', { headers: secret }).result],
  ];
  for (const [name, send] of ways) {
    const { seen, options } = leading();
    await expect(send(options), name).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message:
        'The header authorization is for http://test, but the call would go to http://elsewhere.test: add that origin to trustedOrigins, or call without it',
    });
    expect(seen, name).toEqual(['http://test Bearer s3cret']);
    expect((await send({ ...options, trustedOrigins: ['http://elsewhere.test'] })).text, name).toBe('hi');
  }
});

test('a header that the card declares as an API key counts as secret; other headers are sent to any origin of the card', async () => {
  const { options, requests } = leading({ security: apiKey('X-Key'), auth: () => ({ id: 'me' }) });
  const client = createClient('http://test', options);
  await expect(client.send('hi', { headers: { 'x-key': 's3cret' } })).rejects.toMatchObject({
    reason: 'INVALID_REQUEST',
    message: expect.stringContaining('The header x-key is for http://test'),
  });
  expect((await client.send('hi', { headers: { 'x-other': 'plain' } })).text).toBe('hi');
  expect(requests.at(-1)?.headers['x-other']).toBe('plain');
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

/** An agent at http://test whose card points to http://elsewhere.test. */
function leading(agent: Parameters<typeof serve>[0] = { auth: () => ({ id: 'me' }) }) {
  const { options, requests } = serve(agent);
  const seen: string[] = [];
  const fetchThere: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    seen.push(`${url.origin} ${new Headers(init?.headers).get('authorization') ?? 'nothing'}`);
    const response = await (options.fetch ?? fetch)(`http://test${url.pathname}`, init);
    const text = (await response.text()).replaceAll('http://test', 'http://elsewhere.test');
    return new Response(text, { status: response.status, headers: { 'content-type': response.headers.get('content-type') ?? '' } });
  };
  return { seen, requests, options: { retry: false, fetch: fetchThere } as const };
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
