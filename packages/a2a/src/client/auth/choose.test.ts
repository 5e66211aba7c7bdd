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
  test('takes the first alternative that can be met in full', async () => {
    const alone = declare.http('Basic', { schemeName: 'basic' });
    const card = cardWith([alone, declare.allOf(declare.bearer(), declare.mtls()), declare.apiKey('X-Key'), declare.bearer()]);
    expect(await ask(credentialsFor(given), card)).toEqual(full({ headers: { 'x-key': 'k' } }));
  });

  test('sends all of an alternative that needs several', async () => {
    const card = cardWith([declare.allOf(declare.bearer(), declare.apiKey('key', { location: 'query' }))]);
    expect(await ask(credentialsFor(given), card)).toEqual(full({ ...BEARER, query: { key: 'k' } }));
  });

  test('sends nothing when an earlier alternative needs nothing', async () => {
    expect(await ask(credentialsFor(given), cardWith([declare.allOf(), declare.bearer()]))).toEqual(full({}));
    expect(await ask(credentialsFor(given), cardWith([declare.bearer(), declare.allOf()]))).toEqual(full(BEARER));
    expect(await ask(credentialsFor({}), cardWith([declare.bearer(), declare.allOf()]))).toEqual(full({}));
  });

  test('gives nothing when no alternative can be met', async () => {
    expect(await ask(credentialsFor(given), cardWith([declare.mtls()]))).toBeUndefined();
  });

  test('gets nothing for an alternative that can not be met in full', async () => {
    const asked: AuthRequest[] = [];
    const oidc: Credentials = { get: (request) => void asked.push(request) };
    const card = cardWith([declare.allOf(declare.oidc('https://id.test/x'), declare.mtls()), declare.bearer()]);
    expect(await ask(credentialsFor({ ...given, oidc }), card)).toEqual(full(BEARER));
    expect(asked).toEqual([]);
  });

  test('passes over an alternative whose credentials have nothing to give', async () => {
    const empty = { ...given, oidc: { get: () => undefined } };
    const card = cardWith([declare.oidc('https://id.test/.well-known/openid-configuration'), declare.bearer()]);
    expect(await ask(credentialsFor(empty), card)).toEqual(full(BEARER));
  });

  test('sends everything that has a place when the card declares nothing or is not there yet, earlier ones first', async () => {
    const credentials = credentialsFor({ ...given, basic: basicAuth('u', 'p'), key: apiKey('q', { name: 'key', in: 'query' }) });
    const everything = full({ ...BEARER, query: { key: 'q' } });
    expect(await ask(credentials, cardWith())).toEqual(everything);
    expect(await ask(credentials, undefined)).toEqual(everything);
  });

  test('tells credentials which scheme they are for and which scopes the card wants', async () => {
    const asked: AuthRequest[] = [];
    const oauth: Credentials = { get: (request) => void asked.push(request) };
    const scheme = declare.oauth2({ clientCredentials: { tokenUrl: 'https://id.test/token', scopes: {} } });
    await ask(credentialsFor({ oauth2: oauth }), cardWith([declare.withScopes(scheme, ['read'])]));
    expect(asked[0]?.scheme).toEqual({ name: 'oauth2', scheme: scheme.scheme, scopes: ['read'] });
  });

  test('after a refusal goes on to an alternative that sends something else', async () => {
    const card = cardWith([declare.bearer(), declare.apiKey('x-key')]);
    const refused = { material: BEARER, challenge: undefined };
    expect(await ask(credentialsFor(given), card, { refused })).toEqual(full({ headers: { 'x-key': 'k' } }));
    expect(await ask(credentialsFor({ bearer: given.bearer }), card, { refused })).toBeUndefined();
  });

  test('refuses two that want the same header at once, without their values', async () => {
    const card = cardWith([declare.allOf(declare.bearer(), declare.http('Basic', { schemeName: 'basic' }))]);
    const asked = ask(credentialsFor({ bearer: bearerToken('s3cret'), basic: basicAuth('u', 'p') }), card);
    await expect(asked).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message: 'Two credentials that are needed together both want the header authorization',
    });
  });

  test('is not confused by names that every object has, nor by a requirement that names an unknown scheme', async () => {
    for (const name of ['constructor', 'nobody']) {
      const card = { ...cardWith(), securityRequirements: [{ schemes: { [name]: { list: [] } } }] };
      expect(await ask(credentialsFor(given), card)).toBeUndefined();
    }
  });

  test('does not read what a skill asks for', async () => {
    const card = cardWith([declare.bearer()]);
    const skill = { id: 's', name: 's', description: '', tags: [], securityRequirements: [{ schemes: { apiKey: { list: [] } } }] };
    expect(await ask(credentialsFor(given), { ...card, skills: [skill] })).toEqual(full(BEARER));
  });

  test('refuses what is no credentials at once', () => {
    // As plain JavaScript may call it.
    expect(() => credentialsFor({ bearer: 's3cret' as unknown as Credentials })).toThrow(
      /^credentialsFor got something else than credentials as bearer$/,
    );
    expect(() => chooseCredentials()).toThrow(/at least one/);
  });
});

describe('chooseCredentials', () => {
  const credentials = chooseCredentials(basicAuth('u', 'p'), bearerToken('t'), apiKey('k'));

  test('finds what fits whatever the card calls it, in any case of letters', async () => {
    const named = { schemeName: 'anything' };
    expect(await ask(credentials, cardWith([declare.http('bEARER', named)]))).toEqual(full(BEARER));
    expect(await ask(credentials, cardWith([declare.http('BASIC', named)]))).toEqual(full({ headers: { authorization: 'Basic dTpw' } }));
    expect(await ask(credentials, cardWith([declare.apiKey('session', { location: 'cookie' })]))).toEqual(
      full({ cookies: { session: 'k' } }),
    );
    expect(await ask(credentials, cardWith([declare.http('Digest', named)]))).toBeUndefined();
  });

  test('goes on to the next that fits when the first has nothing to give', async () => {
    const several = chooseCredentials(
      bearerToken(() => undefined),
      bearerToken('t'),
    );
    expect(await ask(several, cardWith([declare.bearer()]))).toEqual(full(BEARER));
  });

  test('takes a token got elsewhere for OAuth 2.0 and OpenID Connect', async () => {
    expect(await ask(credentials, cardWith([declare.oidc('https://id.test/x')]))).toEqual(full(BEARER));
  });

  test('passes over a key whose name or place is not the declared one', async () => {
    const wrong = chooseCredentials(apiKey('k', { name: 'x-other' }));
    expect(await ask(wrong, cardWith([declare.apiKey('x-key')]))).toBeUndefined();
    expect(await ask(chooseCredentials(apiKey('k', { name: 'X-KEY' })), cardWith([declare.apiKey('x-key')]))).toEqual(
      full({ headers: { 'x-key': 'k' } }),
    );
  });
});

describe('apiKey by itself', () => {
  test('finds its place on the card, and gives nothing while nobody knows it', async () => {
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
