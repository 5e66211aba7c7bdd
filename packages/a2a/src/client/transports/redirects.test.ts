import { describe, expect, test } from 'vitest';
import { rejection, type ScriptedAnswer, scriptedPeer } from '../../../test/client/peer-calls.js';
import type { HttpRequest } from './exchange.js';
import { exchangeFollowing } from './redirects.js';

const GET: HttpRequest = {
  method: 'GET',
  url: 'https://agent.test/a/b?key=secret',
  headers: { authorization: 'Bearer secret' },
  signal: undefined,
  timeouts: {},
};
const POST: HttpRequest = { ...GET, method: 'POST', body: '{"a":1}' };

const to = (location: string, status = 302): ScriptedAnswer => ({ status, headers: { location }, body: null });

test.each([301, 302, 303, 307, 308])('a GET follows %i within its origin', async (status) => {
  const peer = scriptedPeer(to('../c', status), { body: 'there' });
  const response = await exchangeFollowing(peer.exchange, GET);
  expect(await response.text(10)).toBe('there');
  expect(peer.requests.map(({ url }) => url)).toEqual([GET.url, 'https://agent.test/c']);
});

test.each([307, 308])('a POST follows %i within its origin, with its body', async (status) => {
  const peer = scriptedPeer(to('/a/b/', status), { body: 'there' });
  await exchangeFollowing(peer.exchange, POST);
  expect(peer.requests[1]).toEqual({ ...POST, url: 'https://agent.test/a/b/' });
});

describe('a request is never sent to another origin', () => {
  test.each([
    'https://other.test/',
    'http://agent.test/a/b',
    'https://agent.test:8443/a',
    '//other.test/',
    'https://agent.test@other.test/',
  ])('%s', async (location) => {
    for (const request of [GET, POST]) {
      const peer = scriptedPeer(to(location, 307));
      const error = await rejection(exchangeFollowing(peer.exchange, request));
      expect(error).toMatchObject({ name: 'A2ATransportError', retryable: false, httpStatus: 307 });
      expect(String(error)).toMatch(/another origin/);
      expect(String(error)).not.toContain('secret');
      expect(peer.requests).toHaveLength(1);
    }
  });

  test('a request is not sent to another origin after a redirect within its own', async () => {
    const peer = scriptedPeer(to('/c'), to('https://other.test/c'));
    expect(String(await rejection(exchangeFollowing(peer.exchange, GET)))).toContain('https://other.test');
    expect(peer.requests).toHaveLength(2);
  });
});

test('a POST does not become a GET', async () => {
  const peer = scriptedPeer(to('/login', 302));
  expect(String(await rejection(exchangeFollowing(peer.exchange, POST)))).toContain('a redirect of a POST to /login');
  expect(peer.requests).toHaveLength(1);
});

test('five redirects are followed, the sixth is not', async () => {
  const peer = scriptedPeer(...Array.from({ length: 5 }, () => to('/again')), { body: 'there' });
  expect((await exchangeFollowing(peer.exchange, GET)).status).toBe(200);
  expect(String(await rejection(exchangeFollowing(scriptedPeer(to('/again')).exchange, GET)))).toContain('more than 5 redirects');
});

test.each([{ status: 302, body: null }, to('http://['), to('')])('a redirect without a valid location is refused', async (answer) => {
  const given = { headers: {}, ...answer };
  expect(await rejection(exchangeFollowing(scriptedPeer(given).exchange, GET))).toMatchObject({ name: 'A2ATransportError' });
});

test('304 is not a redirect', async () => {
  expect((await exchangeFollowing(scriptedPeer({ status: 304, body: null }).exchange, GET)).status).toBe(304);
});
