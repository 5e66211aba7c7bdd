/** The default HTTP exchange of a client on Node. Uses real sockets, because only they show the difference. */

import { connect as connectSocket, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { defaultExchange } from '../../src/client/node/default-exchange.js';
import { pooled } from '../../src/client/node/pooled.js';
import type { ClientOptions } from '../../src/client/options.js';
import { manualClock } from '../../src/testing/index.js';
import { bundleScript, startChild } from '../child.js';
import { tempFolder } from '../temp-folder.js';
import { countedSignal } from './scripted-send.js';
import { requestTo, type Served, serveHttp, serveSilence, until } from './sockets.js';

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY', 'http_proxy', 'https_proxy', 'node_use_env_proxy'];

beforeEach(() => {
  for (const name of PROXY_VARIABLES) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** Serves a card, and answers GetTask and SendMessage; `tamper` can destroy the connection of a call. */
async function serveAgent(tamper: (method: string, count: number) => 'destroy' | undefined = () => undefined) {
  const calls: string[] = [];
  const served: Served = await serveHttp(async (request, response) => {
    if (request.method === 'GET') return response.setHeader('content-type', 'application/json').end(JSON.stringify(cardOf(served.url)));
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id, method } = JSON.parse(text);
    calls.push(method);
    if (tamper(method, calls.length) === 'destroy') return request.socket.destroy();
    const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
    const result = method === 'GetTask' ? task : { task };
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  return { ...served, calls };
}

const cardOf = (url: string) => ({
  name: 'Plain',
  description: 'An agent without the log extension',
  version: '1',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});

/** The number of `fetch` calls by a client with these options. */
async function fetchesOf(options: ClientOptions = {}): Promise<number> {
  const { url } = await serveAgent();
  const real = globalThis.fetch;
  const spy = vi.fn((...args: Parameters<typeof fetch>) => real(...args));
  vi.stubGlobal('fetch', spy);
  await createClient(url, options).card();
  return spy.mock.calls.length;
}

describe('the default exchange', () => {
  test('D49: is the connection pool on Node', async () => {
    expect(await fetchesOf()).toBe(0);
  });

  test.each(PROXY_VARIABLES)('D49: is fetch when %s is set', async (name) => {
    vi.stubEnv(name, name.toUpperCase() === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:9');
    expect(await fetchesOf()).toBe(1);
  });

  test('D49: is fetch with fetchOptions, and a given fetch or exchange is used instead', async () => {
    expect(await fetchesOf({ fetchOptions: { credentials: 'omit' } })).toBe(1);
    const { url } = await serveAgent();
    vi.unstubAllGlobals();
    const fetch = vi.fn(globalThis.fetch);
    await createClient(url, { fetch }).card();
    expect(fetch).toHaveBeenCalledTimes(1);
    const pool = pooled();
    onTestFinished(() => pool.close());
    const exchange = vi.fn(pool);
    await createClient(url, { exchange }).card();
    expect(exchange).toHaveBeenCalledTimes(1);
  });
});

describe('the shared pool of the process', () => {
  test('D49: clients share its connections, and closing one client does not affect the others', async () => {
    const { url, connections } = await serveAgent();
    const [one, two] = [createClient(url), createClient(url)];
    await one.getTask({ id: 't' });
    await one.close();
    await two.getTask({ id: 't' });
    await createClient(url).getTask({ id: 't' });
    expect(connections()).toBe(1);
    await expect(one.getTask({ id: 't' })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  test('D49: it has no limit: 300 requests to one origin are in flight together', async () => {
    const COUNT = 300;
    const waiting: (() => void)[] = [];
    const { url } = await serveHttp((_, response) => {
      waiting.push(() => response.end('ok'));
      if (waiting.length === COUNT) for (const answer of waiting) answer();
    });
    const exchange = defaultExchange();
    const texts = await Promise.all(Array.from({ length: COUNT }, async () => (await exchange(requestTo(url))).text(10)));
    expect(texts).toEqual(Array(COUNT).fill('ok'));
  }, 30_000);

  test('D49: its idle connections do not keep the process alive', async () => {
    const { url, server } = await serveAgent();
    server.keepAliveTimeout = 600_000;
    const child = startChild(await bundleScript(new URL('./one-call-child.ts', import.meta.url), await tempFolder()), url);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.lines[0]).toBe('Plain');
    // A referenced connection would keep the process alive for the 4 s that the pool keeps it.
    expect(Number(child.lines[1])).toBeLessThan(3_500);
  }, 30_000);

  test('D49: an ended request leaves no listener on the signal of its caller', async () => {
    const { port } = await serveSilence();
    const { controller, listeners } = countedSignal();
    const pool = pooled();
    onTestFinished(() => pool.close());
    const sending = pool(requestTo(`http://127.0.0.1:${port}/`, { signal: controller.signal }));
    expect(listeners()).toBe(1);
    controller.abort();
    await expect(sending).rejects.toMatchObject({ reason: 'ABORTED' });
    await expect(pool(requestTo('http://127.0.0.1:1/', { signal: countedSignal().controller.signal }))).rejects.toThrow('ECONNREFUSED');
    const refused = countedSignal();
    await pool(requestTo('http://127.0.0.1:1/', { signal: refused.controller.signal })).catch(() => {});
    const bad = countedSignal();
    await pool(requestTo('http://127.0.0.1:1/', { signal: bad.controller.signal, headers: { 'x-a': '\n' } })).catch(() => {});
    expect([listeners(), refused.listeners(), bad.listeners()]).toEqual([0, 0, 0]);
  });

  test('D49: a signal that is already aborted opens no connection', async () => {
    const { url, connections } = await serveHttp((_, response) => response.end());
    const pool = pooled();
    onTestFinished(() => pool.close());
    await expect(pool(requestTo(url, { signal: AbortSignal.abort() }))).rejects.toMatchObject({ reason: 'ABORTED' });
    await (await pool(requestTo(url))).text(1);
    expect(connections()).toBe(1);
  });

  test('D49: header names are case-insensitive: no header is sent twice, and none changes the framing', async () => {
    const { url } = await serveHttp((request, response) => {
      request.pipe(response.setHeader('x-seen', JSON.stringify(request.rawHeaders)));
    });
    const pool = pooled();
    onTestFinished(() => pool.close());
    const own = { 'User-Agent': 'mine', 'Content-Type': 'text/plain', Host: 'other.test', 'Accept-Encoding': 'identity' };
    const headers = { ...own, 'content-type': 'text/html', 'Content-Length': '1', 'Transfer-Encoding': 'chunked', Connection: 'close' };
    const response = await pool(requestTo(url, { method: 'POST', body: 'four', headers }));
    const raw: readonly string[] = JSON.parse(response.header('x-seen') ?? '[]');
    const seen = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name.toLowerCase()}: ${raw[i + 1]}`] : []));
    expect(seen.sort()).toEqual([
      'accept-encoding: identity',
      'connection: keep-alive',
      'content-length: 4',
      'content-type: text/html',
      'host: other.test',
      'user-agent: mine',
    ]);
    expect(await response.text(100)).toBe('four');
  });

  test('D49: headers that an interceptor adds, in any case, are sent once', async () => {
    const seen: string[] = [];
    const { url } = await serveHttp((request, response) => {
      const names = request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
      seen.push(...names.filter((name, i) => names.indexOf(name) !== i), request.headers['content-type'] ?? '');
      response.writeHead(400).end();
    });
    const headers = { 'User-Agent': 'mine', 'Content-Type': 'application/vnd.x+json', Host: 'other.test' };
    const client = createClient(cardOf(url), {
      retry: false,
      interceptors: [(next) => (call) => next({ ...call, headers: { ...call.headers, ...headers } })],
    });
    await client.getTask({ id: 't' }).catch(() => {});
    expect(seen).toEqual(['application/vnd.x+json']);
  });

  test('D49: headers copied from another request do not change the framing of this one', async () => {
    const { url } = await serveHttp((request, response) => {
      const { connection, 'content-length': length, 'transfer-encoding': coding, expect: expected } = request.headers;
      request.pipe(response.setHeader('x-seen', JSON.stringify([connection, length, coding, expected])));
    });
    const pool = pooled();
    onTestFinished(() => pool.close());
    const headers = { connection: 'close', 'content-length': '1', 'transfer-encoding': 'chunked', expect: '100-continue', te: 'trailers' };
    const response = await pool(requestTo(url, { method: 'POST', body: 'four', headers }));
    expect(response.header('x-seen')).toBe(JSON.stringify(['keep-alive', '4', undefined, undefined].map((value) => value ?? null)));
    expect(await response.text(100)).toBe('four');
  });
});

describe('a pooled connection that the server has closed', () => {
  const quick = { retry: { initialDelayMs: 0 } };

  test('D33: a send on it is not repeated, because the server may have processed it', async () => {
    const { url, calls } = await serveAgent((method, count) => (method === 'SendMessage' && count === 2 ? 'destroy' : undefined));
    const client = createClient(url, quick);
    await client.getTask({ id: 't' });
    await expect(client.send('work')).rejects.toMatchObject({ name: 'A2ATransportError', sent: true, retryable: false });
    expect(calls).toEqual(['GetTask', 'SendMessage']);
  });

  test('D33: a read on it is repeated on a new connection', async () => {
    const { url, calls, connections } = await serveAgent((_, count) => (count === 2 ? 'destroy' : undefined));
    const client = createClient(url, quick);
    await client.getTask({ id: 't' });
    expect(await client.getTask({ id: 't' })).toMatchObject({ id: 't' });
    expect([calls.length, connections()]).toEqual([3, 2]);
  });

  test('D49: after a pause of the process, no request uses a connection that is too old', async () => {
    const clock = manualClock();
    const { url, connections } = await serveHttp((_, response) => response.end('ok'));
    const pool = pooled({ clock, keepAliveMs: 60_000 });
    onTestFinished(() => pool.close());
    const call = async (): Promise<void> => {
      await (await pool(requestTo(url))).text(10);
      await new Promise((next) => setImmediate(next));
    };
    await call();
    await clock.tick(50_000);
    await call();
    expect(connections()).toBe(1);
    await clock.tick(60_000);
    await call();
    expect(connections()).toBe(2);
  });
});

describe('a response with an unknown content coding', () => {
  const serveCoded = (status: number, coding = 'own') =>
    serveHttp((_, response) => response.writeHead(status, { 'content-encoding': coding, 'content-type': 'application/json' }).end('{}'));

  test.each([
    [401, 'AUTH_REQUIRED'],
    [429, 'RATE_LIMITED'],
    [503, 'AGENT_UNAVAILABLE'],
  ])('D49: the client reports its status %i', async (status, reason) => {
    const { url } = await serveCoded(status);
    await expect(createClient(cardOf(url), { retry: false }).getTask({ id: 't' })).rejects.toMatchObject({ reason, httpStatus: status });
  });

  test.each(['own', 'gzip, gzip, gzip', 'constructor'])('D49: only reading its body fails: %s', async (coding) => {
    const { url } = await serveCoded(200, coding);
    const pool = pooled();
    onTestFinished(() => pool.close());
    const refused = { kind: 'serialization', sent: true, message: `The response is compressed as "${coding}", which is not supported` };
    await expect((await pool(requestTo(url))).text(100)).rejects.toMatchObject(refused);
    await expect(async () => {
      for await (const _ of (await pool(requestTo(url))).chunks());
    }).rejects.toMatchObject(refused);
  });
});

describe('an unreachable host', () => {
  const soon = { timeouts: { connectMs: 50 }, retry: { maxRetries: 2, initialDelayMs: 0 } };
  const unreachable = { name: 'A2ATransportError', kind: 'timeout', phase: 'connect', reason: 'AGENT_UNAVAILABLE', sent: false };

  test('F32: a host that accepts no connection costs connectMs per attempt, and a send is retried', async () => {
    const { port } = await fullHost();
    const retried: unknown[] = [];
    const url = `http://127.0.0.1:${port}`;
    const client = createClient(cardOf(url), { ...soon, retry: { ...soon.retry, onRetry: ({ method }) => retried.push(method) } });
    const error: unknown = await client.send('work').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ ...unreachable, message: `The connection to ${url} was not established within 50 ms` });
    expect(retried).toEqual(['SendMessage', 'SendMessage']);
  });

  test('F32: a host that does not answer the TLS handshake is unreachable, and the request for the card is retried', async () => {
    const { port, sockets } = await serveSilence();
    await expect(createClient(`https://127.0.0.1:${port}`, soon).send('work')).rejects.toMatchObject(unreachable);
    await until(() => sockets.length === 3);
  });

  test('F32: when firstByteMs is below connectMs and no connection exists, the host is unreachable and a send is retried', async () => {
    const { port } = await fullHost();
    const retried: unknown[] = [];
    const retry = { ...soon.retry, onRetry: ({ method }: { readonly method: string }) => retried.push(method) };
    const client = createClient(cardOf(`http://127.0.0.1:${port}`), { timeouts: { firstByteMs: 50 }, retry });
    await expect(client.send('work')).rejects.toMatchObject({ ...unreachable, message: 'The connection was not established within 50 ms' });
    expect(retried).toEqual(['SendMessage', 'SendMessage']);
  });

  test('F32: a TLS handshake that takes longer than firstByteMs makes the host unreachable', async () => {
    const { port, sockets } = await serveSilence();
    const client = createClient(cardOf(`https://127.0.0.1:${port}`), { ...soon, timeouts: { firstByteMs: 50 } });
    await expect(client.send('work')).rejects.toMatchObject(unreachable);
    await until(() => sockets.length === 3);
  });

  test('F32: a request that was sent and got no response in time may have been processed, and is not repeated', async () => {
    let asked = 0;
    const { url } = await serveHttp(() => {
      asked += 1;
    });
    const client = createClient(cardOf(url), { ...soon, timeouts: { firstByteMs: 300 } });
    await expect(client.send('work')).rejects.toMatchObject({ phase: 'firstByte', reason: 'TASK_TIMEOUT', sent: true });
    expect(asked).toBe(1);
  });

  test('F32: connectMs defaults to 10 s, far below the default of firstByteMs', async () => {
    const clock = manualClock();
    const { port, sockets } = await serveSilence();
    const exchange = pooled({ clock });
    onTestFinished(() => exchange.close());
    const failing = expect(createClient(`https://127.0.0.1:${port}`, { clock, exchange, retry: false }).card()).rejects.toMatchObject(
      unreachable,
    );
    await until(() => sockets.length === 1);
    await clock.tick(10_000);
    await failing;
    expect(clock.pending).toBe(0);
  });
});

/** A port with a full connection backlog: the kernel answers no further connection. */
async function fullHost(): Promise<{ readonly port: number }> {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      // From here on this thread accepts no connection.
      setImmediate(() => Atomics.wait(workerData, 0, 0));
    });`;
  const worker = new Worker(code, { eval: true, workerData: lock });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const fillers: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of fillers) socket.destroy();
    Atomics.store(lock, 0, 1);
    Atomics.notify(lock, 0);
    await worker.terminate();
  });
  let isFull = false;
  while (!isFull) {
    const socket = connectSocket(port, '127.0.0.1');
    fillers.push(socket.on('error', () => {}));
    // The kernel accepts a loopback connection at once, or not at all.
    isFull = await new Promise((resolve) => {
      socket.once('connect', () => resolve(false));
      setTimeout(() => resolve(true), 200);
    });
  }
  return { port };
}
