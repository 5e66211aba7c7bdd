import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Headings, V1 } from '../../test/endpoints.js';
import { type ListenOptions, listen } from '../adapters/node.js';
import { createAgent } from '../server/create-agent.js';
import type { WireRequest } from '../wire/http.js';
import { createHandler } from './route.js';

const agent = () => createAgent({ name: 'Echo', auth: 'none', execute: async ({ text }) => text });
const APP = 'https://app.test';

/** A server bound to loopback, as a page reaches it at localhost:4000. */
function knock(options: ListenOptions = {}) {
  const handler = createHandler(agent(), options, { refusePages: true });
  return async (headers: Headings, more: Partial<WireRequest> = {}) => {
    const all: Headings = { host: 'localhost:4000', ...V1, ...headers };
    const request = { method: 'POST', path: '/tasks/t:cancel', query: '', origin: 'http://localhost:4000', host: {} };
    return handler({ ...request, header: (name) => all[name], body: async () => '', ...more });
  };
}

describe('F74: web pages and a server that is bound to loopback', () => {
  const foreign: Headings[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:4000' },
    { origin: APP },
    { origin: 'null' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://localhost:4000.evil.test' },
  ];
  test.each(foreign)('F74: a request of a page of another origin is refused, also without a body: %j', async (headers) => {
    const { status, body } = await knock()(headers);
    expect([status, String(body)]).toEqual([403, expect.stringContaining('start the server with cors: { origins: [...] }')]);
    const { 'a2a-version': _, ...unversioned } = { ...V1, ...headers };
    expect((await knock()({ ...unversioned, 'a2a-version': '' }, { query: 'A2A-Version=1.0' })).status).toBe(403);
    expect((await knock()(headers, { path: '/', body: async () => '{}' })).status).toBe(403);
    expect((await knock()(headers, { method: 'DELETE' })).status).toBe(403);
  });

  const own: Headings[] = [
    {},
    { origin: 'http://localhost:4000' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:4000' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:5173' },
    { 'sec-fetch-site': 'none' },
  ];
  test.each(own)('F74: programs, pages of the server and pages behind a proxy are served: %j', async (headers) => {
    expect((await knock()(headers)).status).toBe(404);
  });

  test('F74: a page that cors allows is served, and any page may read the card', async () => {
    const page: Headings = { origin: APP, 'sec-fetch-site': 'cross-site' };
    expect((await knock({ cors: { origins: [APP] } })(page)).status).toBe(404);
    expect((await knock({ cors: { origins: [APP] } })({ ...page, origin: 'https://other.test' })).status).toBe(403);
    const read = { method: 'GET', path: '/.well-known/agent-card.json', origin: 'http://localhost:4000' };
    expect((await knock()(page, read)).status).toBe(200);
  });

  test('F74: listen checks pages on loopback, and credentials protect other hosts', async () => {
    await using local = await serve({});
    await using open = await serve({ host: '0.0.0.0' });
    const cancel = async (port: number) => {
      const url = `http://127.0.0.1:${port}/tasks/t:cancel?A2A-Version=1.0`;
      return (await fetch(url, { method: 'POST', headers: { origin: APP } })).status;
    };
    expect([await cancel(local.port), await cancel(open.port)]).toEqual([403, 404]);
  });

  test('F74: a request with two Host headers gets 400', async () => {
    await using server = await serve({});
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write('GET /-/health HTTP/1.1\r\nHost: localhost\r\nhost: evil.test\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('one Host header, got \\"localhost, evil.test\\"');
  });
});

async function serve(options: ListenOptions) {
  const server = await listen(agent(), { port: 0, ...options });
  return { port: server.port, [Symbol.asyncDispose]: () => server.close({ drainMs: 0 }) };
}
