import { describe, expect, test } from 'vitest';
import * as declare from '../../protocol/security.js';
import type { AgentCard } from '../../protocol/types.js';
import { apiKey } from './api-key.js';
import { chooseCredentials, credentialsFor } from './choose.js';
import type { AuthMaterial, AuthRequest, Credentials } from './credentials.js';
import { basicAuth, bearerToken } from './http-auth.js';

const BEARER = { headers: { authorization: 'Bearer t' } };
const given = { bearer: bearerToken('t'), apiKey: apiKey('k') };

describe('credentialsFor', () => {
  test('uses the first alternative that can be met in full', async () => {
    const alone = declare.http('Basic', { schemeName: 'basic' });
    const card = cardWith([alone, declare.allOf(declare.bearer(), declare.mtls()), declare.apiKey('X-Key'), declare.bearer()]);
    expect(await ask(credentialsFor(given), card)).toEqual(full({ headers: { 'x-key': 'k' } }));
  });

  test('sends all material of an alternative with several schemes', async () => {
    const card = cardWith([declare.allOf(declare.bearer(), declare.apiKey('key', { location: 'query' }))]);
    expect(await ask(credentialsFor(given), card)).toEqual(full({ ...BEARER, query: { key: 'k' } }));
  });

  test('sends nothing if an earlier alternative is empty', async () => {
    expect(await ask(credentialsFor(given), cardWith([declare.allOf(), declare.bearer()]))).toEqual(full({}));
    expect(await ask(credentialsFor(given), cardWith([declare.bearer(), declare.allOf()]))).toEqual(full(BEARER));
    expect(await ask(credentialsFor({}), cardWith([declare.bearer(), declare.allOf()]))).toEqual(full({}));
  });

  test('returns nothing if no alternative can be met', async () => {
    expect(await ask(credentialsFor(given), cardWith([declare.mtls()]))).toBeUndefined();
  });

  test('requests no material for an alternative that cannot be met in full', async () => {
    const asked: AuthRequest[] = [];
    const oidc: Credentials = { get: (request) => void asked.push(request) };
    const card = cardWith([declare.allOf(declare.oidc('https://id.test/x'), declare.mtls()), declare.bearer()]);
    expect(await ask(credentialsFor({ ...given, oidc }), card)).toEqual(full(BEARER));
    expect(asked).toEqual([]);
  });

  test('skips an alternative whose credentials return nothing', async () => {
    const empty = { ...given, oidc: { get: () => undefined } };
    const card = cardWith([declare.oidc('https://id.test/.well-known/openid-configuration'), declare.bearer()]);
    expect(await ask(credentialsFor(empty), card)).toEqual(full(BEARER));
  });

  test('sends all material if the card declares nothing or is not known yet, earlier ones first', async () => {
    const credentials = credentialsFor({ ...given, basic: basicAuth('u', 'p'), key: apiKey('q', { name: 'key', in: 'query' }) });
    const everything = full({ ...BEARER, query: { key: 'q' } });
    expect(await ask(credentials, cardWith())).toEqual(everything);
    expect(await ask(credentials, undefined)).toEqual(everything);
  });

  test('passes the scheme and the scopes of the card to the credentials', async () => {
    const asked: AuthRequest[] = [];
    const oauth: Credentials = { get: (request) => void asked.push(request) };
    const scheme = declare.oauth2({ clientCredentials: { tokenUrl: 'https://id.test/token', scopes: {} } });
    await ask(credentialsFor({ oauth2: oauth }), cardWith([declare.withScopes(scheme, ['read'])]));
    expect(asked[0]?.scheme).toEqual({ name: 'oauth2', scheme: scheme.scheme, scopes: ['read'] });
  });

  test('after a refusal uses an alternative with different material', async () => {
    const card = cardWith([declare.bearer(), declare.apiKey('x-key')]);
    const refused = { material: BEARER, challenge: undefined };
    expect(await ask(credentialsFor(given), card, { refused })).toEqual(full({ headers: { 'x-key': 'k' } }));
    expect(await ask(credentialsFor({ bearer: given.bearer }), card, { refused })).toBeUndefined();
  });

  test('refuses two credentials for the same header immediately, without quoting them', async () => {
    const card = cardWith([declare.allOf(declare.bearer(), declare.http('Basic', { schemeName: 'basic' }))]);
    const asked = ask(credentialsFor({ bearer: bearerToken('s3cret'), basic: basicAuth('u', 'p') }), card);
    await expect(asked).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message: 'Two required credentials both set the header authorization',
    });
  });

  test('handles scheme names that every object has, and a requirement with an unknown scheme', async () => {
    for (const name of ['constructor', 'unknown']) {
      const card = { ...cardWith(), securityRequirements: [{ schemes: { [name]: { list: [] } } }] };
      expect(await ask(credentialsFor(given), card)).toBeUndefined();
    }
  });

  test('ignores the requirements of a skill', async () => {
    const card = cardWith([declare.bearer()]);
    const skill = { id: 's', name: 's', description: '', tags: [], securityRequirements: [{ schemes: { apiKey: { list: [] } } }] };
    expect(await ask(credentialsFor(given), { ...card, skills: [skill] })).toEqual(full(BEARER));
  });

  test('refuses a value that is not a Credentials object immediately', () => {
    // Untyped callers may write this.
    expect(() => credentialsFor({ bearer: 's3cret' as unknown as Credentials })).toThrow(
      /^credentialsFor: the value of bearer is not a Credentials object$/,
    );
    expect(() => chooseCredentials()).toThrow(/at least one/);
  });
});

describe('chooseCredentials', () => {
  const credentials = chooseCredentials(basicAuth('u', 'p'), bearerToken('t'), apiKey('k'));

  test('finds a fitting scheme by any name and in any letter case', async () => {
    const named = { schemeName: 'anything' };
    expect(await ask(credentials, cardWith([declare.http('bEARER', named)]))).toEqual(full(BEARER));
    expect(await ask(credentials, cardWith([declare.http('BASIC', named)]))).toEqual(full({ headers: { authorization: 'Basic dTpw' } }));
    expect(await ask(credentials, cardWith([declare.apiKey('session', { location: 'cookie' })]))).toEqual(
      full({ cookies: { session: 'k' } }),
    );
    expect(await ask(credentials, cardWith([declare.http('Digest', named)]))).toBeUndefined();
  });

  test('tries the next fitting credentials if the first return nothing', async () => {
    const several = chooseCredentials(
      bearerToken(() => undefined),
      bearerToken('t'),
    );
    expect(await ask(several, cardWith([declare.bearer()]))).toEqual(full(BEARER));
  });

  test('accepts a bearer token from another source for OAuth 2.0 and OpenID Connect', async () => {
    expect(await ask(credentials, cardWith([declare.oidc('https://id.test/x')]))).toEqual(full(BEARER));
  });

  test('skips a key with another name or location than declared', async () => {
    const wrong = chooseCredentials(apiKey('k', { name: 'x-other' }));
    expect(await ask(wrong, cardWith([declare.apiKey('x-key')]))).toBeUndefined();
    expect(await ask(chooseCredentials(apiKey('k', { name: 'X-KEY' })), cardWith([declare.apiKey('x-key')]))).toEqual(
      full({ headers: { 'x-key': 'k' } }),
    );
  });
});

describe('apiKey alone', () => {
  test('takes the location from the card, and returns nothing while it is unknown', async () => {
    expect(await ask(apiKey('k'), cardWith([declare.bearer(), declare.apiKey('X-Key')]))).toEqual({ headers: { 'x-key': 'k' } });
    expect(await ask(apiKey('k'), undefined)).toBeUndefined();
    expect(await ask(apiKey('k'), cardWith([declare.bearer()]))).toBeUndefined();
    expect(await ask(apiKey('k', { name: 'X-Key' }), undefined)).toEqual({ headers: { 'x-key': 'k' } });
  });
});

async function ask(
  credentials: Credentials,
  card: AgentCard | undefined,
  more: Partial<AuthRequest> = {},
): Promise<AuthMaterial | undefined> {
  return credentials.get({ url: 'https://agent.test/a2a', card, signal: undefined, ...more });
}

function full(material: AuthMaterial): AuthMaterial {
  return { headers: {}, query: {}, cookies: {}, ...material };
}

function cardWith(security?: declare.Security): AgentCard {
  return {
    name: 'Agent',
    description: '',
    version: '1',
    supportedInterfaces: [],
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    ...(security && declare.toCardSecurity(security)),
  };
}
