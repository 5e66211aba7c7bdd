import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejection } from '../../../test/client/peer-calls.js';
import type { Exchange, HttpRequest } from './exchange.js';
import { fetchExchange } from './fetch-exchange.js';

const servers: Server[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function request(more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'POST', url: 'http://agent.test/', headers: { 'x-own': '1' }, body: '{}', signal: undefined, timeouts: {}, ...more };
}

/** An exchange that records the arguments of its fetch. */
function noting(fetchOptions?: object): { readonly exchange: Exchange; readonly inits: RequestInit[] } {
  const inits: RequestInit[] = [];
  const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    inits.push(init);
    return new Response('ok');
  };
  return { exchange: fetchExchange({ fetch, fetchOptions } as never), inits };
}

describe('the request', () => {
  test('U3: fetchOptions reach every fetch', async () => {
    const { exchange, inits } = noting({ credentials: 'include', cache: 'no-store' });
    await exchange(request());
    await exchange(request());
    for (const init of inits) expect(init).toMatchObject({ credentials: 'include', cache: 'no-store', method: 'POST', body: '{}' });
    expect(inits).toHaveLength(2);
  });

  test('U3: headers, body, method, signal and redirect cannot be overridden', async () => {
    const smuggled = {
      headers: { 'x-evil': '1' },
      body: 'evil',
      method: 'PUT',
      signal: AbortSignal.abort(),
      redirect: 'follow',
      mode: 'cors',
    };
    const { exchange, inits } = noting(smuggled);
    await exchange(request({ method: 'GET', body: undefined }));
    expect(inits[0]).toEqual({ method: 'GET', headers: { 'x-own': '1' }, body: null, signal: null, redirect: 'manual', mode: 'cors' });
    expect(smuggled.method).toBe('PUT');
  });

  test("the platform's fetch is looked up on each call, and not called as a method", async () => {
    const exchange = fetchExchange();
    const seen: unknown[] = [];
    vi.stubGlobal('fetch', async function (this: unknown) {
      seen.push(this);
      return new Response('later');
    });
    expect(await (await exchange(request())).text(100)).toBe('later');
    expect(seen).toEqual([undefined]);
  });

  test('a fetch that is not a function is refused immediately', () => {
    expect(() => fetchExchange({ fetch: 'fetch' as never })).toThrow('fetch must be a function');
  });

  test('a header that HTTP cannot carry is named without its value', async () => {
    const error = await rejection(fetchExchange()(request({ url: 'http://127.0.0.1:1/', headers: { authorization: 'Bearer secret\n' } })));
    expect(error).toMatchObject({ reason: 'INVALID_REQUEST', message: expect.stringContaining('"authorization"') });
    expect(String(error)).not.toContain('secret');
  });
});

describe('classifying a failure', () => {
  test('a refused connection: nothing was sent', async () => {
    const address = await listen(() => {});
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    const error = await rejection(fetchExchange()(request({ url: `http://${address}/path?key=secret` })));
    expect(error).toMatchObject({ name: 'A2ATransportError', kind: 'network', sent: false, retryable: true, reason: 'AGENT_UNAVAILABLE' });
    expect(error).toMatchObject({
      message: `The agent at http://${address} could not be reached (ECONNREFUSED)`,
      cause: expect.any(TypeError),
    });
  });

  test('TLS with a peer that does not support it: nothing was sent', async () => {
    const address = await listen(() => {});
    const error = await rejection(fetchExchange()(request({ url: `https://${address}/` })));
    expect(error).toMatchObject({ name: 'A2ATransportError', sent: false });
  });

  test('a connection that breaks before the response: it may have been sent', async () => {
    const address = await listen((incoming) => incoming.socket.destroy());
    const error = await rejection(fetchExchange()(request({ url: `http://${address}/` })));
    expect(error).toMatchObject({ name: 'A2ATransportError', kind: 'network', sent: true });
    expect(error).toMatchObject({ message: expect.stringContaining(`The connection to http://${address} broke before the response`) });
  });

  test('a connection that breaks in the middle of the response', async () => {
    const address = await listen((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' });
      outgoing.write('half', () => outgoing.destroy());
    });
    const response = await fetchExchange()(request({ url: `http://${address}/` }));
    expect(await rejection(response.text(1000))).toMatchObject({
      name: 'A2ATransportError',
      sent: true,
      message: expect.stringContaining(`The connection to http://${address} broke in the middle of the response`),
    });
  });

  const failed = (cause: object): TypeError => new TypeError('fetch failed', { cause });
  test.each<[string, unknown, object]>([
    ['unknown host', failed({ code: 'ENOTFOUND' }), { sent: false, kind: 'network' }],
    ['temporary DNS failure', failed({ code: 'EAI_AGAIN' }), { sent: false }],
    ['every address refused', failed(new AggregateError([{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }])), { sent: false }],
    ['undici connect timeout', failed({ code: 'UND_ERR_CONNECT_TIMEOUT' }), { sent: false, kind: 'timeout', phase: 'connect' }],
    ['system connect timeout', failed({ code: 'ETIMEDOUT', syscall: 'connect' }), { sent: false }],
    ['an expired certificate', failed({ code: 'CERT_HAS_EXPIRED' }), { sent: false }],
    ['a certificate for another name', failed({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), { sent: false }],
    ['a self-signed certificate', failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), { sent: false }],
    ['Bun', Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' }), { sent: false }],
    ['Deno', new TypeError('error sending request for url (http://x): client error (Connect): tcp connect error'), { sent: false }],
    ['undici headers timeout', failed({ code: 'UND_ERR_HEADERS_TIMEOUT' }), { sent: true, kind: 'timeout', phase: 'firstByte' }],
    ['a reset', failed({ code: 'ECONNRESET', syscall: 'read' }), { sent: true }],
    ['a read timeout', failed({ code: 'ETIMEDOUT', syscall: 'read' }), { sent: true }],
    ['a socket that closed', failed({ code: 'UND_ERR_SOCKET' }), { sent: true }],
    ['a browser', new TypeError('Failed to fetch'), { sent: true, kind: 'network' }],
    ['a string', 'broken', { sent: true }],
    ['nothing', undefined, { sent: true }],
  ])('%s', async (_name, thrown, expected) => {
    const exchange = fetchExchange({ fetch: () => Promise.reject(thrown) });
    expect(await rejection(exchange(request()))).toMatchObject({ name: 'A2ATransportError', cause: thrown, ...expected });
  });

  test.each(['http://127.0.0.1:1/', 'gopher://agent.test/', 'no address'])('%s is an address to which nothing is sent', async (url) => {
    expect(await rejection(fetchExchange()(request({ url })))).toMatchObject({ name: 'A2ATransportError', sent: false });
  });

  test('a cycle of causes ends', async () => {
    const first: { cause?: unknown } = {};
    first.cause = { cause: first };
    expect(await rejection(fetchExchange({ fetch: () => Promise.reject(first) })(request()))).toMatchObject({ sent: true });
  });
});

describe('aborting', () => {
  test('before: nothing is fetched', async () => {
    const { exchange, inits } = noting();
    const error = await rejection(exchange(request({ signal: AbortSignal.abort('enough') })));
    expect(error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
    expect(inits).toEqual([]);
  });

  test('while waiting for the response', async () => {
    const address = await listen(() => controller.abort('enough'));
    const controller = new AbortController();
    const error = await rejection(fetchExchange()(request({ url: `http://${address}/`, signal: controller.signal })));
    expect(error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  });

  test('while reading', async () => {
    const address = await listen((_, outgoing) => {
      outgoing.write('begin');
    });
    const controller = new AbortController();
    const response = await fetchExchange()(request({ url: `http://${address}/`, signal: controller.signal }));
    const read = rejection(response.text(1000));
    controller.abort('enough');
    expect(await read).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  });
});

describe('the response', () => {
  const answer = (body: ConstructorParameters<typeof Response>[0], init?: ResponseInit) =>
    fetchExchange({ fetch: async () => new Response(body, init) })(request());

  test('status and headers', async () => {
    const response = await answer('x', { status: 201, headers: { ETag: '"1"' } });
    expect([response.status, response.header('etag'), response.header('age')]).toEqual([201, '"1"', undefined]);
  });

  test('a body is read up to the limit, not beyond', async () => {
    expect(await (await answer('12345')).text(5)).toBe('12345');
    expect(await rejection((await answer('123456')).text(5))).toMatchObject({
      name: 'A2ATransportError',
      kind: 'serialization',
      message: 'The response is larger than 5 bytes',
    });
  });

  test('an endless body is abandoned at the limit', async () => {
    let canceled = false;
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => (++chunks < 100 ? controller.enqueue(new Uint8Array(1000)) : controller.close()),
      cancel: () => {
        canceled = true;
      },
    });
    await rejection((await answer(endless)).text(10_000));
    expect(canceled).toBe(true);
  });

  test('text that is split inside a character', async () => {
    const bytes = new TextEncoder().encode('ü€😀');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await (await answer(body)).text(100)).toBe('ü€😀');
  });

  test('no body is an empty text and no chunks', async () => {
    expect(await (await answer(null, { status: 204 })).text(5)).toBe('');
  });

  test('leaving the loop and discarding release the body; errors of that are ignored', async () => {
    const cancels: string[] = [];
    const body = (name: string): ReadableStream<Uint8Array> =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => {
          cancels.push(name);
          throw new Error('cancel failed');
        },
      });
    for await (const _ of (await answer(body('loop'))).chunks()) break;
    (await answer(body('discard'))).discard();
    const half = await answer(body('half'));
    await half.chunks()[Symbol.asyncIterator]().next();
    half.discard();
    expect(cancels).toEqual(['loop', 'discard', 'half']);
  });

  test('a redirect that a browser hides is explained', async () => {
    const hidden = Object.defineProperties(new Response(null), { type: { value: 'opaqueredirect' }, status: { value: 0 } });
    const error = await rejection(fetchExchange({ fetch: async () => hidden })(request({ url: 'http://agent.test/?key=secret' })));
    expect(error).toMatchObject({
      name: 'A2ATransportError',
      retryable: false,
      message: expect.stringContaining('http://agent.test responded with a redirect'),
    });
    expect(String(error)).not.toContain('secret');
  });
});
