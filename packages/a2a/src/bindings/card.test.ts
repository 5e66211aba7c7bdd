import { expect, test } from 'vitest';
import { bodyOf, fetchInProcess, V1 } from '../../test/endpoints.js';
import type { AgentCard } from '../protocol/types.js';
import { createAgent } from '../server/create-agent.js';
import { manualClock } from '../testing/manual-clock.js';
import { CARD_PATH } from './card.js';

const START = Date.UTC(2026, 0, 1, 12, 0, 0, 500);
const agent = createAgent({ name: 'Echo', auth: 'none', execute: async (context) => context.text, clock: manualClock(START) });
const knock = fetchInProcess(agent, { publicUrl: 'https://agents.example.com/echo/' });

const urlIn = async (response: Response): Promise<string | undefined> => (await bodyOf<AgentCard>(response)).supportedInterfaces[0]?.url;

test('D30: the card is at its well-known path and names both bindings at the public URL, mount path included', async () => {
  const response = await knock(CARD_PATH, { headers: V1 });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect((await bodyOf<AgentCard>(response)).supportedInterfaces).toEqual([
    { url: 'https://agents.example.com/echo', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://agents.example.com/echo', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ]);
});

test('D30: a card with a fixed URL may be stored by shared caches', async () => {
  const { headers } = await knock(CARD_PATH);
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  expect(headers.get('vary')).toBe('A2A-Version');
  expect(headers.get('last-modified')).toBe('Thu, 01 Jan 2026 12:00:00 GMT');
  expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
});

test('D30: without a public URL the card contains the address that the caller used, and is private', async () => {
  const plain = fetchInProcess(agent);
  const response = await plain(CARD_PATH, { headers: { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' } });
  const { headers } = response;
  expect(await urlIn(response)).toBe('http://agent.test');
  expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, max-age=300', 'A2A-Version, Host']);
});

test('D30: forwarded headers are used only when the proxy is trusted', async () => {
  const behind = fetchInProcess(agent, { trustProxy: true, basePath: '/a' });
  const response = await behind(`/a${CARD_PATH}`, {
    headers: { 'x-forwarded-host': 'me.example.com, inner', 'x-forwarded-proto': 'https' },
  });
  expect(await urlIn(response)).toBe('https://me.example.com/a');
  expect(response.headers.get('vary')).toBe('A2A-Version, Host, X-Forwarded-Host, X-Forwarded-Proto');
  const bad = await behind(`/a${CARD_PATH}`, { headers: { 'x-forwarded-host': 'x"><script>' } });
  expect([bad.status, await bad.text()]).toEqual([400, expect.not.stringContaining('script')]);
});

test('D30: cards of many hosts do not fill the memory', async () => {
  const many = fetchInProcess(agent, { trustProxy: true });
  for (let n = 0; n < 250; n++) {
    const response = await many(CARD_PATH, { headers: { 'x-forwarded-host': `h${n}.test` } });
    expect(await urlIn(response)).toBe(`http://h${n}.test`);
  }
});

test('D30: the ETag depends on the content: another URL has another ETag', async () => {
  const tagOf = async (publicUrl: string) => (await fetchInProcess(agent, { publicUrl })(CARD_PATH)).headers.get('etag');
  expect(await tagOf('https://a.test')).toBe(await tagOf('https://a.test/'));
  expect(await tagOf('https://a.test')).not.toBe(await tagOf('https://b.test'));
});

test('D30: a caller that has the card gets 304 with the same headers and no body', async () => {
  const first = await knock(CARD_PATH);
  const etag = first.headers.get('etag') ?? '';
  const lastModified = first.headers.get('last-modified') ?? '';
  const fresh: readonly Record<string, string>[] = [
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': `"x", W/"y" , ${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': lastModified },
    { 'if-modified-since': new Date(START + 60_000).toUTCString() },
    { 'if-none-match': etag, 'if-modified-since': new Date(0).toUTCString() },
  ];
  for (const headers of fresh) {
    const response = await knock(CARD_PATH, { headers });
    expect([response.status, await response.text()], JSON.stringify(headers)).toEqual([304, '']);
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([etag, 'public, max-age=300']);
  }
  const stale: readonly Record<string, string>[] = [
    { 'if-none-match': '"x"' },
    { 'if-none-match': '"x"', 'if-modified-since': lastModified },
    { 'if-modified-since': new Date(0).toUTCString() },
    { 'if-modified-since': 'yesterday' },
  ];
  for (const headers of stale) expect((await knock(CARD_PATH, { headers })).status, JSON.stringify(headers)).toBe(200);
});

test('D30: HEAD is answered without a body, other verbs with 405', async () => {
  const head = await knock(CARD_PATH, { method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', (await knock(CARD_PATH)).headers.get('etag')]);
  const posted = await knock(CARD_PATH, { method: 'POST', body: '{}' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('D30: the card needs neither version nor credentials', async () => {
  const locked = createAgent({ name: 'Locked', auth: () => undefined, execute: () => undefined });
  expect((await fetchInProcess(locked)(CARD_PATH)).status).toBe(200);
});

test('D5: the card declares the log extension with what works, not required', async () => {
  const { capabilities } = await bodyOf<AgentCard>(await knock(CARD_PATH));
  const log = capabilities.extensions?.find(({ uri }) => uri === 'urn:parley:a2a:log:v1');
  expect(log).toMatchObject({ required: false, params: { lastEventId: true } });
});

test('D30, G49: own routes and the card take precedence over tenants', async () => {
  const served = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' };
  const own = fetchInProcess(agent, {
    routes: [
      { path: '/', handle: () => served },
      { path: '/-/pages/*', handle: (request) => ({ ...served, body: request.path }) },
      {
        path: '/-/broken',
        handle: () => {
          throw new Error('/etc/x');
        },
      },
    ],
  });
  const health = await own('/-/health');
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  expect(await (await own('/')).text()).toBe('<p>');
  expect(await (await own('/-/pages/a/b')).text()).toBe('/-/pages/a/b');
  expect((await own('/-/pages/a', { method: 'DELETE' })).status).toBe(404);
  const broken = await own('/-/broken');
  expect([broken.status, await broken.text()]).toEqual([500, expect.not.stringContaining('etc')]);
  for (const path of ['/-/tasks', '/-/nothing', '/.well-known/tasks', '/.well-known/agent.jso']) {
    expect((await own(path, { headers: V1 })).status, path).toBe(404);
  }
});

test('D30: invalid options are refused at startup', () => {
  for (const publicUrl of ['agents.example.com', 'ftp://x.test', 'https://x.test/?q', 'https://u:p@x.test']) {
    expect(() => fetchInProcess(agent, { publicUrl }), publicUrl).toThrow(/publicUrl/);
  }
  for (const basePath of ['agents', '/a b', '/a?b', '//'])
    expect(() => fetchInProcess(agent, { basePath: `${basePath}x y` }), basePath).toThrow(/basePath/);
});
