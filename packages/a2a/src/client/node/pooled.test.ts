import { createServer, type RequestListener, type Server } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { A2AError } from '../../protocol/errors.js';
import { manualClock } from '../../testing/manual-clock.js';
import { connect, createClient } from '../create-client.js';
import type { HttpRequest } from '../transports/exchange.js';
import { type Pool, type PoolOptions, pooled } from './pooled.js';
import { PooledRequest } from './pooled-request.js';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener);
  opened.push(
    () => server.closeAllConnections(),
    () => new Promise((done) => server.close(done)),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

function open(options?: PoolOptions): Pool {
  const pool = pooled(options);
  opened.push(() => pool.close());
  return pool;
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  signal: undefined,
  timeouts: {},
  ...more,
});

/** Lets the sockets of this process make progress without sleeping: the manual clock does not count real time. */
const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((next) => setImmediate(next));
};

test('a body is sent and a response comes back, with status and headers', async () => {
  const { url } = await serve((request, response) => {
    response.writeHead(201, { 'x-way': `${request.method} ${request.url} ${request.headers['content-length']}` });
    request.pipe(response);
  });
  const exchange = open();
  const response = await exchange(get(`${url}a?b=c`, { method: 'POST', body: 'grüße' }));
  expect([response.status, response.header('x-way'), response.header('none')]).toEqual([201, 'POST /a?b=c 7', undefined]);
  expect(await response.text(100)).toBe('grüße');
});

test('a hundred sequential calls use one connection', async () => {
  let connections = 0;
  const { url, server } = await serve((_, response) => response.end('ok'));
  server.on('connection', () => connections++);
  const exchange = open();
  for (let i = 0; i < 100; i++) expect(await (await exchange(get(url))).text(10)).toBe('ok');
  expect(connections).toBe(1);
});

test('chunks arrive as they are written, and leaving the loop closes the connection', async () => {
  let left = false;
  const { url } = await serve((request, response) => {
    request.on('close', () => {
      left = true;
    });
    response.write('one');
  });
  const response = await open()(get(url));
  for await (const chunk of response.chunks()) {
    expect(Buffer.from(chunk).toString()).toBe('one');
    break;
  }
  await until(() => left);
});

test('a response above the limit is refused without being buffered', async () => {
  const { url } = await serve((_, response) => response.end('x'.repeat(1_000_000)));
  const response = await open()(get(url));
  await expect(response.text(1_000)).rejects.toMatchObject({ name: 'A2ATransportError', kind: 'serialization', sent: true });
});

test('D33: a refused connection reports that nothing was sent, a broken one that something may have been', async () => {
  const { url, server } = await serve((request) => request.socket.destroy());
  const exchange = open();
  await expect(exchange(get(url))).rejects.toMatchObject({ kind: 'network', sent: true, reason: 'AGENT_UNAVAILABLE' });
  await new Promise((done) => server.close(done));
  await expect(exchange(get(`${url}?key=secret`))).rejects.toMatchObject({
    kind: 'network',
    sent: false,
    message: `The agent at ${new URL(url).origin} could not be reached (ECONNREFUSED)`,
  });
});

test('a connection that breaks in the middle of a body does not count as its end', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half');
    setImmediate(() => response.destroy());
  });
  const exchange = open();
  const message = `The connection to ${new URL(url).origin} broke in the middle of the response`;
  await expect((await exchange(get(url))).text(100)).rejects.toMatchObject({ kind: 'network', sent: true, message });
  const read = async (): Promise<void> => {
    for await (const _ of (await exchange(get(url))).chunks());
  };
  await expect(read()).rejects.toMatchObject({ kind: 'network', sent: true });
});

test('the caller aborts before, while and after the headers arrive', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/body') response.write('some');
  });
  const exchange = open();
  await expect(exchange(get(url, { signal: AbortSignal.abort('why') }))).rejects.toMatchObject({ reason: 'ABORTED', cause: 'why' });
  const leaving = new AbortController();
  const waiting = exchange(get(url, { signal: leaving.signal }));
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ reason: 'ABORTED' });
  const later = new AbortController();
  const text = (await exchange(get(`${url}body`, { signal: later.signal }))).text(100);
  later.abort();
  await expect(text).rejects.toMatchObject({ reason: 'ABORTED' });
});

test('D35: waiting for a connection has its own timeout', async () => {
  const clock = manualClock();
  let asked = 0;
  const { url } = await serve(() => asked++);
  const exchange = open({ clock, maxConnections: 1 });
  const first = exchange(get(url));
  first.catch(() => {});
  await until(() => asked === 1);
  const second = exchange(get(url, { timeouts: { poolMs: 10_000 } }));
  const refused = expect(second).rejects.toMatchObject({ kind: 'timeout', phase: 'pool', sent: false, reason: 'TASK_TIMEOUT' });
  await clock.tick(10_000);
  await refused;
  expect(clock.pending).toBe(0);
});

test('D35: a small request that gets its connection immediately uses only the connect timer', async () => {
  const { url } = await serve((_, response) => response.end('ok'));
  const clock = manualClock();
  const delays: number[] = [];
  const counting = {
    ...clock,
    after: (...[delayMs, ...rest]: Parameters<typeof clock.after>) => clock.after(delays.push(delayMs) && delayMs, ...rest),
  };
  const exchange = open({ clock: counting });
  const timeouts = { connectMs: 1, poolMs: 2, writeMs: 3 };
  for (let i = 0; i < 3; i++) await (await exchange(get(url, { method: 'POST', body: 'small', timeouts }))).text(100);
  expect([delays, clock.pending]).toEqual([[1], 0]);
});

test('F32: a connection whose TLS handshake is running when the request gets it counts as not connected', async () => {
  const clock = manualClock();
  const sockets: Socket[] = [];
  const silent = createSocketServer((socket) => sockets.push(socket.on('error', () => {})));
  opened.push(
    () => sockets.map((socket) => socket.destroy()),
    () => new Promise((done) => silent.close(done)),
  );
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const { port } = silent.address() as AddressInfo;
  const socket = connectTls({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await until(() => !socket.connecting && sockets.length === 1);
  const progress: string[] = [];
  const timeouts = { connectMs: 5_000 };
  const request = get(`https://127.0.0.1:${port}/`, { timeouts, onProgress: (each) => progress.push(each) });
  const sending = new PooledRequest(request, { clock, secure: true }).send(() =>
    requestHttps({ host: '127.0.0.1', port, createConnection: () => socket }),
  );
  const refused = expect(sending).rejects.toMatchObject({ phase: 'connect', sent: false, reason: 'AGENT_UNAVAILABLE' });
  await until(() => progress.length === 2);
  expect(progress).toEqual(['pool', 'connect']);
  await clock.tick(5_000);
  await refused;
  expect(clock.pending).toBe(0);
});

test('B12: a request that the peer does not read runs into the write timeout', async () => {
  const clock = manualClock();
  const sockets: Socket[] = [];
  const deaf = createSocketServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));
  opened.push(
    () => sockets.map((socket) => socket.destroy()),
    () => new Promise((done) => deaf.close(done)),
  );
  await new Promise<void>((done) => deaf.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`;
  const huge = 'x'.repeat(32 * 1024 * 1024);
  const sending = open({ clock })(get(url, { method: 'POST', body: huge, timeouts: { writeMs: 5_000 } }));
  const refused = expect(sending).rejects.toMatchObject({ kind: 'timeout', phase: 'write', sent: true });
  await until(() => clock.pending === 1 && sockets.length === 1);
  await clock.tick(5_000);
  await refused;
  expect(clock.pending).toBe(0);
});

test('G12: a pool outlives the clients that share it, including those that failed to connect; await using closes it', async () => {
  const { url } = await serve((_, response) => response.end('{}'));
  const exchange = open();
  await expect(connect(url, { exchange, retry: false })).rejects.toBeInstanceOf(A2AError);
  await createClient(url, { exchange }).close();
  expect((await exchange(get(url))).status).toBe(200);
  const block = async () => {
    await using own = pooled();
    return own;
  };
  await expect((await block())(get(url))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
});

test('no timer is left after an exchange', async () => {
  const clock = manualClock();
  const { url } = await serve((_, response) => response.end('ok'));
  const exchange = open({ clock });
  const timeouts = { poolMs: 1_000, connectMs: 1_000, writeMs: 1_000 };
  for (let i = 0; i < 3; i++) await (await exchange(get(url, { timeouts }))).text(10);
  expect(clock.pending).toBe(0);
});

test('a closed pool and an invalid address are refused with a message', async () => {
  const exchange = open();
  await expect(exchange(get('ftp://127.0.0.1/'))).rejects.toMatchObject({ message: '"ftp://127.0.0.1/" is not an http or https URL' });
  await exchange.close();
  await expect(exchange(get('http://127.0.0.1:1/'))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  expect(() => pooled({ maxConnections: 0 })).toThrow('maxConnections must be a whole number above 0, got 0');
});
