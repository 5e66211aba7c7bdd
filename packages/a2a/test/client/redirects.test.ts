/** How fetch and the pool follow redirects. Uses real sockets, because each of them has its own implementation. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import { pooled } from '../../src/client/node/pooled.js';
import type { Exchange, HttpRequest } from '../../src/client/transports/exchange.js';
import { fetchExchange } from '../../src/client/transports/fetch-exchange.js';
import { exchangeFollowing } from '../../src/client/transports/redirects.js';
import type { AgentCard } from '../../src/protocol/types.js';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** Redirects `/from`, and records the requests to all paths. */
async function serve(redirect: (message: IncomingMessage) => { readonly status: number; readonly location: string }) {
  const seen: string[] = [];
  const server = createServer((message, response) => {
    let body = '';
    message.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    message.on('end', () => {
      seen.push(`${message.method} ${message.url} ${message.headers.authorization} ${body}`);
      if (message.url !== '/from') return response.end('arrived');
      const { status, location } = redirect(message);
      return response.writeHead(status, { location }).end();
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const post = (url: string): HttpRequest => ({
  method: 'POST',
  url,
  headers: { authorization: 'secret', 'content-type': 'application/json' },
  body: '{}',
  signal: undefined,
  timeouts: {},
});

const cardAt = (url: string): AgentCard => ({
  name: 'agent',
  description: '',
  version: '1',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
});

const EXCHANGES: readonly (readonly [string, () => Exchange])[] = [
  ['fetch', () => fetchExchange()],
  ['the pool', () => pooled()],
];

for (const [name, create] of EXCHANGES) {
  test(`F78: a client over ${name} sends a message once when the agent responds with HTTP 303`, async () => {
    const { url, seen } = await serve(() => ({ status: 303, location: '/to' }));
    const client = createClient(cardAt(`${url}/from`), { exchange: create(), timeouts: null });
    await expect(client.send('hi')).rejects.toMatchObject({ httpStatus: 303 });
    expect(seen.map((line) => line.slice(0, 10))).toEqual(['POST /from']);
  });

  test(`${name} follows a redirect of a POST within the origin, with its body`, async () => {
    const { url, seen } = await serve(() => ({ status: 307, location: '/to' }));
    const response = await exchangeFollowing(create(), post(`${url}/from`));
    expect([response.status, await response.text(100)]).toEqual([200, 'arrived']);
    expect(seen).toEqual(['POST /from secret {}', 'POST /to secret {}']);
  });

  test(`${name} does not follow a redirect to another origin`, async () => {
    const elsewhere = await serve(() => ({ status: 307, location: '/' }));
    const { url } = await serve(() => ({ status: 307, location: `${elsewhere.url}/to` }));
    const refused = { kind: 'network', retryable: false, message: expect.stringContaining(`a redirect to ${elsewhere.url}`) };
    await expect(exchangeFollowing(create(), post(`${url}/from`))).rejects.toMatchObject(refused);
    expect(elsewhere.seen).toEqual([]);
  });
}
