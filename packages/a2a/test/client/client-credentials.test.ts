import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { chooseCredentials } from '../../src/client/auth/choose.js';
import { type ClientCredentialsOptions, clientCredentials, deviceCode } from '../../src/oauth/index.js';
import { bearer, oauth2, oidc, withScopes } from '../../src/protocol/security.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { askFor, cardWith, refuses, scriptedServer } from './scripted-oauth.js';

const TOKEN = { access_token: 'at', token_type: 'Bearer', expires_in: 3600 };
const BASE = { clientId: 'me', clientSecret: 's3cret' } satisfies ClientCredentialsOptions;
// On the origin of the agent: a secret goes to other origins only if the options name them.
const TOKEN_URL = 'https://agent.test/token';
const declared = (tokenUrl = TOKEN_URL) => oauth2({ clientCredentials: { tokenUrl, scopes: {} } });

describe('the token request', () => {
  test('uses the token URL and the scopes of the card', async () => {
    const { fetch, asked } = scriptedServer(TOKEN);
    const material = await clientCredentials({ ...BASE, fetch }).get(askFor(cardWith(withScopes(declared(), ['read', 'write']))));
    expect(material).toEqual({ headers: { authorization: 'Bearer at' } });
    expect(asked).toMatchObject([
      { url: TOKEN_URL, form: { grant_type: 'client_credentials', scope: 'read write' }, authorization: `Basic ${btoa('me:s3cret')}` },
    ]);
  });

  test('uses the options instead of the card, and needs no card', async () => {
    const { fetch, asked } = scriptedServer(TOKEN);
    const credentials = clientCredentials({
      ...BASE,
      fetch,
      tokenUrl: 'https://mine.test/t',
      scopes: ['own'],
      auth: 'post',
      audience: 'a',
      resource: 'urn:r',
    });
    await credentials.get(askFor(undefined));
    await credentials.get(askFor(cardWith(withScopes(declared(), ['read']))));
    expect(asked).toMatchObject([
      {
        url: 'https://mine.test/t',
        form: { scope: 'own', client_id: 'me', client_secret: 's3cret', audience: 'a', resource: 'urn:r' },
        authorization: null,
      },
    ]);
  });

  test('A24: a call with its own scopes gets its own token', async () => {
    const { fetch, asked } = scriptedServer({ ...TOKEN, access_token: 'one' }, { ...TOKEN, access_token: 'two' });
    const credentials = clientCredentials({ ...BASE, fetch, scopes: ['own'] });
    const card = cardWith(declared());
    expect(await credentials.get(askFor(card))).toEqual({ headers: { authorization: 'Bearer one' } });
    expect(await credentials.get(askFor(card, { scopes: ['admin'] }))).toEqual({ headers: { authorization: 'Bearer two' } });
    expect(await credentials.get(askFor(card))).toEqual({ headers: { authorization: 'Bearer one' } });
    expect(asked.map(({ form }) => form.scope)).toEqual(['own', 'admin']);
  });

  test('is not sent when no authorization server is known', async () => {
    const { fetch, asked } = scriptedServer(TOKEN);
    const credentials = clientCredentials({ ...BASE, fetch });
    expect(await credentials.get(askFor(undefined))).toBeUndefined();
    expect(await credentials.get(askFor(cardWith(bearer())))).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('an OpenID Connect server is discovered once, from the document that the card names', async () => {
    const document = { issuer: 'https://agent.test/realm', token_endpoint: TOKEN_URL };
    const { fetch, asked } = scriptedServer(document, TOKEN);
    const credentials = clientCredentials({ ...BASE, fetch });
    const card = cardWith(oidc('https://agent.test/realm/.well-known/openid-configuration'));
    await Promise.all([credentials.get(askFor(card)), credentials.get(askFor(card))]);
    await credentials.get(askFor(card, { scopes: ['more'] }));
    expect(asked.map(({ url }) => url)).toEqual(['https://agent.test/realm/.well-known/openid-configuration', TOKEN_URL, TOKEN_URL]);
  });

  test('an issuer without OpenID Connect is discovered at the path of RFC 8414', async () => {
    const { fetch, asked } = scriptedServer(
      new Response(null, { status: 404 }),
      { issuer: 'https://id.test', token_endpoint: TOKEN_URL },
      TOKEN,
    );
    await clientCredentials({ ...BASE, fetch, issuer: 'https://id.test' }).get(askFor(undefined));
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual([
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/token',
    ]);
  });

  test('chooseCredentials selects these credentials by the flow that the card declares', async () => {
    const { fetch } = scriptedServer(TOKEN);
    const choose = chooseCredentials(clientCredentials({ ...BASE, fetch }));
    expect(await choose.get(askFor(cardWith(declared())))).toMatchObject({ headers: { authorization: 'Bearer at' } });
    const other = oauth2({ authorizationCode: { authorizationUrl: 'https://id.test/a', tokenUrl: TOKEN_URL, scopes: {} } });
    expect(await choose.get(askFor(cardWith(other)))).toBeUndefined();
  });
});

describe('the client secret', () => {
  test('is sent only to the first server that a card names', async () => {
    const { fetch, asked } = scriptedServer(TOKEN);
    const credentials = clientCredentials({ ...BASE, fetch });
    await credentials.get(askFor(cardWith(declared())));
    const evil = cardWith(declared('https://evil.test/token'));
    const url = 'https://evil.test/a2a';
    await expect(credentials.get(askFor(evil, { url }))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message:
        'A card names the authorization server https://evil.test, but these credentials belong to https://agent.test: set issuer or tokenUrl to choose the server',
    });
    const evilOidc = cardWith(oidc('https://evil.test/.well-known/openid-configuration'));
    await expect(credentials.get(askFor(evilOidc, { url }))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    expect(asked).toHaveLength(1);
  });

  const FOREIGN = {
    reason: 'INVALID_REQUEST',
    message:
      'The card of the agent at https://agent.test names the authorization server https://id.test, which is on another origin. ' +
      'The client secret is not sent there: set issuer or tokenUrl if this server is correct',
  };

  test('F68: is not sent to another origin that only the card names, and is sent there if the options name it', async () => {
    const { fetch, asked } = scriptedServer(TOKEN);
    const card = cardWith(declared('https://id.test/token'));
    await expect(clientCredentials({ ...BASE, fetch }).get(askFor(card))).rejects.toMatchObject(FOREIGN);
    const oidcCard = cardWith(oidc('https://id.test/.well-known/openid-configuration'));
    await expect(clientCredentials({ ...BASE, fetch }).get(askFor(oidcCard))).rejects.toMatchObject(FOREIGN);
    expect(asked).toEqual([]);
    await clientCredentials({ ...BASE, fetch, tokenUrl: 'https://id.test/token' }).get(askFor(card));
    expect(asked.map(({ url }) => url)).toEqual(['https://id.test/token']);
  });

  test('F68: is not sent to another origin that a discovery document of the agent names', async () => {
    const { fetch, asked } = scriptedServer({ issuer: 'https://agent.test', token_endpoint: 'https://id.test/token' });
    const card = cardWith(oidc('https://agent.test/.well-known/openid-configuration'));
    await expect(clientCredentials({ ...BASE, fetch }).get(askFor(card))).rejects.toMatchObject(FOREIGN);
    expect(asked.map(({ url }) => url)).toEqual(['https://agent.test/.well-known/openid-configuration']);
  });

  test('F68: of a sign-in by device code follows the same rule; a sign-in without a secret may use any server', async () => {
    const { fetch, asked } = scriptedServer(refuses('access_denied'));
    const flow = { deviceAuthorizationUrl: 'https://id.test/device', tokenUrl: 'https://id.test/token', scopes: {} };
    const request = askFor(cardWith(oauth2({ deviceCode: flow })));
    await expect(deviceCode({ ...BASE, fetch, onCode: () => {} }).get(request)).rejects.toMatchObject(FOREIGN);
    expect(asked).toEqual([]);
    await expect(deviceCode({ clientId: 'me', fetch, onCode: () => {} }).get(request)).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
    expect(asked.map(({ url }) => url)).toEqual(['https://id.test/device']);
  });

  test('is never sent over plain http, except to this machine with allowInsecure', async () => {
    const { fetch, asked } = scriptedServer(TOKEN);
    const plain = 'http://id.test/token';
    for (const allowInsecure of [false, true]) {
      const asking = clientCredentials({ ...BASE, fetch, allowInsecure }).get(askFor(cardWith(declared(plain))));
      await expect(asking).rejects.toMatchObject({ reason: 'AUTH_REQUIRED', message: expect.stringContaining('http://id.test') });
      expect(() => clientCredentials({ ...BASE, tokenUrl: plain, allowInsecure })).toThrow(/must be https:/);
      expect(() => clientCredentials({ ...BASE, issuer: plain, allowInsecure })).toThrow(/must be https:/);
    }
    expect(() => clientCredentials({ ...BASE, tokenUrl: 'http://127.0.0.1:1/t' })).toThrow(/allowInsecure/);
    expect(asked).toHaveLength(0);
    await clientCredentials({ ...BASE, fetch, allowInsecure: true, tokenUrl: 'http://127.0.0.1:1/t' }).get(askFor(undefined));
    expect(asked).toHaveLength(1);
  });

  test('is not sent to the target of a redirect', async () => {
    const { fetch, asked } = scriptedServer(new Response(null, { status: 307, headers: { location: 'https://evil.test/' } }));
    await expect(clientCredentials({ ...BASE, fetch, tokenUrl: TOKEN_URL }).get(askFor(undefined))).rejects.toMatchObject({
      reason: 'AUTH_REQUIRED',
    });
    expect(asked).toHaveLength(1);
  });

  test('is not sent when the discovery document names another issuer', async () => {
    const { fetch, asked } = scriptedServer({ issuer: 'https://other.test', token_endpoint: TOKEN_URL });
    await expect(clientCredentials({ ...BASE, fetch, issuer: 'https://id.test' }).get(askFor(undefined))).rejects.toMatchObject({
      reason: 'AUTH_REQUIRED',
    });
    expect(asked).toHaveLength(1);
  });
});

describe('failures', () => {
  const failures: readonly [string, Parameters<typeof scriptedServer>[0], string, boolean][] = [
    ['a refusal names the error code', refuses('invalid_client', 401), 'refused to issue a token (invalid_client)', false],
    ['an unknown error code is not repeated in the message', refuses('<script>'), 'refused to issue a token', false],
    [
      'a challenge counts as a refusal',
      new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
      'refused to issue a token',
      false,
    ],
    ['status 503 is retryable', new Response('oops', { status: 503 }), 'sent a response that cannot be used', true],
    ['a server that cannot be reached is retryable', new TypeError('fetch failed'), 'could not be reached', true],
    ['a response that is not JSON is final', new Response('<html>'), 'sent a response that cannot be used', false],
    ['a response without a token is final', { token_type: 'bearer' }, 'sent a response that cannot be used', false],
    ['a token of another type is refused', { access_token: 'at', token_type: 'DPoP' }, 'tokens of a type other than Bearer', false],
    ['an endless response is refused', () => Promise.resolve(new Response(endless())), 'more than 1048576 bytes', false],
  ];
  for (const [name, answer, words, retryable] of failures) {
    test(name, async () => {
      const { fetch } = scriptedServer(answer);
      const thrown: unknown = await Promise.resolve(
        clientCredentials({ ...BASE, fetch, tokenUrl: TOKEN_URL }).get(askFor(undefined)),
      ).catch((error: unknown) => error);
      expect(thrown).toMatchObject({ reason: 'AUTH_REQUIRED', message: expect.stringContaining(words), retryable });
    });
  }

  test('no error contains the secret or a token, at any depth', async () => {
    const { fetch } = scriptedServer(
      { access_token: 't0ken', token_type: 'weird' },
      { access_token: 't0ken', token_type: 'bearer', scope: 1 },
    );
    const credentials = clientCredentials({ ...BASE, fetch, tokenUrl: TOKEN_URL });
    for (let n = 0; n < 2; n += 1) {
      const thrown: unknown = await Promise.resolve(credentials.get(askFor(undefined))).catch((error: unknown) => error);
      expect(everythingIn(thrown)).not.toMatch(/t0ken|s3cret/);
      expect(thrown).toMatchObject({ reason: 'AUTH_REQUIRED' });
    }
  });

  test('a request without a response ends after timeoutMs and leaves no timer', async () => {
    const clock = manualClock();
    const { fetch, asked } = scriptedServer(() => new Promise<Response>(() => {}));
    const asking = clientCredentials({ ...BASE, fetch, clock, tokenUrl: TOKEN_URL, timeoutMs: 500 }).get(askFor(undefined));
    const outcome = expect(asking).rejects.toMatchObject({
      reason: 'AUTH_REQUIRED',
      retryable: true,
      message: expect.stringContaining('500 ms'),
    });
    await clock.tick(500);
    await outcome;
    expect([asked[0]?.signal?.aborted, clock.pending]).toEqual([true, 0]);
  });

  test('when the only waiting caller aborts, the request is aborted', async () => {
    const clock = manualClock();
    const { fetch, asked } = scriptedServer(() => new Promise<Response>(() => {}));
    const leaving = new AbortController();
    const asking = clientCredentials({ ...BASE, fetch, clock, tokenUrl: TOKEN_URL }).get(askFor(undefined, { signal: leaving.signal }));
    const outcome = expect(asking).rejects.toMatchObject({ reason: 'ABORTED' });
    await clock.tick();
    leaving.abort();
    await outcome;
    await clock.tick();
    expect([asked[0]?.signal?.aborted, clock.pending]).toEqual([true, 0]);
  });

  test('an id_token in the response is ignored', async () => {
    const { fetch } = scriptedServer({ ...TOKEN, id_token: 'not even a JWT' });
    const material = await clientCredentials({ ...BASE, fetch, tokenUrl: TOKEN_URL }).get(askFor(undefined));
    expect(material).toEqual({ headers: { authorization: 'Bearer at' } });
  });

  test('invalid options throw at once, and the message does not contain the secret', () => {
    const bad: readonly [Partial<ClientCredentialsOptions>, RegExp][] = [
      [{ clientId: '' }, /needs a clientId/],
      [{ clientSecret: undefined }, /needs a clientSecret or a privateKey/],
      [{ clientSecret: '' }, /empty clientSecret/],
      [{ timeoutMs: 0 }, /positive timeoutMs, got 0/],
      [{ tokenUrl: 's3cret' }, /tokenUrl is not a URL$/],
      [{ skewMs: -1 }, /skewMs must not be negative/],
    ];
    for (const [options, words] of bad) expect(() => clientCredentials({ ...BASE, ...options })).toThrow(words);
  });

  test('a privateKey that cannot sign throws at once; a valid one does not', async () => {
    const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' } as const;
    const { privateKey, publicKey } = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
    const { privateKey: deriving } = await crypto.subtle.generateKey({ ...ecdsa, name: 'ECDH' }, false, ['deriveBits']);
    const keyObject = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const create = (key: unknown) => () =>
      clientCredentials({ ...BASE, clientSecret: undefined, privateKey: key as ClientCredentialsOptions['privateKey'] });
    const bad: readonly [unknown, RegExp][] = [
      [publicKey, /^clientCredentials got a privateKey that cannot sign: it must be a private CryptoKey, got a public one$/],
      [{ key: publicKey, kid: 'k' }, /got a public one$/],
      [deriving, /its usages must include 'sign'$/],
      [{ key: privateKey, kid: '' }, /its kid must be a string/],
      [{ key: privateKey, kid: 7 }, /its kid must be a string/],
    ];
    for (const [key, words] of bad) expect(create(key)).toThrow(words);
    const others = [null, '', 's3cret', {}, { key: 's3cret' }, keyObject, await crypto.subtle.exportKey('jwk', privateKey)];
    for (const key of others) expect(create(key)).toThrow(/cannot sign: it must be a CryptoKey, or \{ key, kid \} with a CryptoKey$/);
    for (const key of [privateKey, { key: privateKey }, { key: privateKey, kid: 'k' }]) expect(create(key)).not.toThrow();
    const device = { clientId: 'me', privateKey: publicKey, onCode: () => {} };
    expect(() => deviceCode(device)).toThrow(/^deviceCode got a privateKey that cannot sign: it must be a private CryptoKey/);
  });
});

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
}

/** Everything that a log could print of an error, including its causes. */
function everythingIn(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || depth > 6) return String(value);
  return Reflect.ownKeys(value)
    .map((key) => everythingIn(Reflect.get(value, key), depth + 1))
    .join('\n');
}
