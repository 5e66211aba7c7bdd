// The request headers that a browser may send across origins, and the Vary header for caches.
import { describe, expect, test } from 'vitest';
import { type FetchPath, fetchInProcess, V1 } from '../../test/endpoints.js';
import { HOSTS } from '../../test/hosts.js';
import { allOf, apiKey, bearer, type Security } from '../protocol/security.js';
import { createAgent } from '../server/create-agent.js';
import { CORS_ALLOWED_HEADERS } from './cors.js';
import type { CorsOptions, HandlerOptions } from './options.js';

const ORIGIN = 'https://app.test';
const cors: CorsOptions = { origins: [ORIGIN] };

function agentWith(security?: Security) {
  const auth = () => ({ id: 'ann' });
  return createAgent({ name: 'Echo', execute: ({ text }) => text, auth, ...(security && { security }) });
}

const knockWith = (security: Security | undefined, options: HandlerOptions) => fetchInProcess(agentWith(security), options);

async function preflight(knock: FetchPath, headers: Record<string, string> = {}) {
  const reply = await knock('/message:send', {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST', ...headers },
  });
  return { status: reply.status, headers: reply.headers, allowed: reply.headers.get('access-control-allow-headers')?.split(', ') };
}

describe('F22: headers that a page may send', () => {
  test('F22: includes the headers of declared API keys, in lower case, wherever they are declared', async () => {
    const key = apiKey('X-Api-Key');
    const other = apiKey('x-team', { schemeName: 'team' });
    const declared: readonly (readonly [Security | undefined, readonly string[]])[] = [
      [undefined, []],
      [bearer(), []],
      [key, ['x-api-key']],
      [[bearer(), key], ['x-api-key']],
      [allOf(key, other), ['x-api-key', 'x-team']],
      [apiKey('key', { location: 'query' }), []],
      [apiKey('session', { location: 'cookie' }), []],
      [apiKey('Authorization'), []],
    ];
    for (const [security, more] of declared) {
      expect((await preflight(knockWith(security, { cors }))).allowed).toEqual([...CORS_ALLOWED_HEADERS, ...more]);
    }
  });

  for (const { name, start } of HOSTS) {
    test(`F22: ${name}: a page may send a declared key`, async () => {
      await using host = await start(agentWith(apiKey('x-api-key')), { cors });
      const { status, allowed, headers } = await preflight(host.knock, { 'access-control-request-headers': 'x-api-key' });
      expect([status, allowed?.includes('x-api-key'), headers.get('vary')]).toEqual([204, true, 'Origin']);
    });
  }

  test('F22: includes cors.headers, each once', async () => {
    const headers = ['X-Tenant', 'x-tenant', 'A2A-Version', 'X-API-KEY', 'x-b3-traceid'];
    const { allowed } = await preflight(knockWith(apiKey('x-api-key'), { cors: { ...cors, headers } }));
    expect(allowed).toEqual([...CORS_ALLOWED_HEADERS, 'x-api-key', 'x-tenant', 'x-b3-traceid']);
  });

  test('F22: the list does not depend on the preflight: twenty headers, twenty thousand, or invalid names', async () => {
    const knock = knockWith(undefined, { cors });
    const plain = (await preflight(knock)).allowed;
    for (const count of [20, 20_000]) {
      const asked = Array.from({ length: count }, (_, n) => `x-${n}`).join(',');
      const reply = await preflight(knock, { 'access-control-request-headers': asked });
      expect([reply.status, reply.allowed]).toEqual([204, plain]);
    }
    for (const asked of [',,,', '*', 'a b;c', '"']) {
      expect((await preflight(knock, { 'access-control-request-headers': asked })).allowed).toEqual(plain);
    }
  });

  test.each([
    ['a space', ['x tenant']],
    ['nothing', ['']],
    ['a comma', ['x-a, x-b']],
    ['a line break', ['x-a\r\nset-cookie: a=b']],
    ['a letter beyond ASCII', ['x-grüße']],
    ['a number', [7]],
    ['a list that is text', 'x-tenant'],
    ['null', null],
  ])('F22: cors.headers with %s throws at startup, with the value', (_, headers) => {
    const options = { cors: { ...cors, headers: headers as readonly string[] } };
    const shown = JSON.stringify(Array.isArray(headers) ? headers[0] : headers);
    expect(() => knockWith(undefined, options)).toThrow(
      expect.objectContaining({ reason: 'INVALID_PARAMS', message: expect.stringContaining(shown) }),
    );
  });

  test('F22: a declared key whose name is not a valid header throws at startup if CORS is on', () => {
    expect(() => knockWith(apiKey('x api key'), { cors })).toThrow(/"x api key"/);
    expect(() => knockWith(apiKey('x api key'), {})).not.toThrow();
  });
});

describe('F22: the Vary header', () => {
  const varyOf = async (vary: string | undefined, headers: Record<string, string> = { origin: ORIGIN }) => {
    const own: Record<string, string> = vary === undefined ? {} : { vary };
    const route = { path: '/page', handle: () => ({ status: 200, headers: own, body: '' }) };
    return (await knockWith(undefined, { cors, routes: [route] })('/page', { headers })).headers.get('vary');
  };

  test('F22: contains each name once, whatever the reply had', async () => {
    expect(await varyOf(undefined)).toBe('Origin');
    expect(await varyOf('Origin')).toBe('Origin');
    expect(await varyOf('origin, Accept')).toBe('Origin, Accept');
    expect(await varyOf('Accept, accept,, ')).toBe('accept, Origin');
    expect(await varyOf('*')).toBe('*');
    expect(await varyOf('Accept', {})).toBe('Accept, Origin');
  });

  test('F22: contains Origin once in preflights, allowed or not, in cards, tasks and errors', async () => {
    const knock = knockWith(undefined, { cors });
    for (const origin of [ORIGIN, 'https://evil.test']) {
      expect((await preflight(knock, { origin })).headers.get('vary')).toBe('Origin');
      for (const path of ['/tasks', '/nothing/here/at/all']) {
        expect((await knock(path, { headers: { ...V1, origin } })).headers.get('vary'), path).toBe('Origin');
      }
    }
  });
});
