/** `fetch` and the Node pool behave the same over real sockets, so that a client can switch between them without a change. */
import { lookup } from 'node:dns/promises';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pooled } from '../../src/client/node/pooled.js';
import type { Exchange } from '../../src/client/transports/exchange.js';
import { fetchExchange } from '../../src/client/transports/fetch-exchange.js';
import { exchangeFollowing } from '../../src/client/transports/redirects.js';
import { requestTo, serveHttp, serveHttps, until } from './sockets.js';

const EXCHANGES: readonly (readonly [string, () => Exchange])[] = [
  ['fetch', () => fetchExchange()],
  [
    'the pool',
    () => {
      const pool = pooled();
      onTestFinished(() => pool.close());
      return pool;
    },
  ],
];
const TEXT = JSON.stringify({ words: 'grüße '.repeat(1_000) });

describe.each(EXCHANGES)('%s', (name, create) => {
  test.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['deflate, gzip', gzipSync(deflateSync(TEXT))],
    ['deflate, gzip', gzipSync(deflateRawSync(TEXT))],
    ['identity', Buffer.from(TEXT)],
  ])(`D49: ${name} reads a response that is compressed as %s`, async (coding, bytes) => {
    const { url } = await serveHttp((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(bytes));
    expect(await (await create()(requestTo(url))).text(1_000_000)).toBe(TEXT);
  });

  test(`D49: ${name} requests compressed responses and sends a user-agent, unless the caller sets these headers`, async () => {
    const seen: unknown[] = [];
    const { url } = await serveHttp(({ headers }, response) => {
      seen.push([headers['accept-encoding']?.includes('gzip'), headers['user-agent']]);
      response.end();
    });
    const exchange = create();
    await (await exchange(requestTo(url))).text(10);
    await (await exchange(requestTo(url, { headers: { 'accept-encoding': 'identity', 'user-agent': 'mine' } }))).text(10);
    expect(seen).toEqual([
      [true, 'node'],
      [false, 'mine'],
    ]);
  });

  test(`D49: ${name} stops decompressing a response at the size limit`, async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const { url } = await serveHttp((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const response = await create()(requestTo(url));
    await expect(response.text(100_000)).rejects.toMatchObject({
      kind: 'serialization',
      message: 'The response is larger than 100000 bytes',
    });
  });

  test(`D49: ${name} delivers each chunk of a compressed stream when it arrives`, async () => {
    const gzip = createGzip();
    const { url } = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' });
      gzip.pipe(response);
      gzip.write('data: 1\n\n');
      gzip.flush();
    });
    let text = '';
    for await (const chunk of (await create()(requestTo(url))).chunks()) {
      text += Buffer.from(chunk).toString();
      if (text === 'data: 1\n\n') gzip.end('data: 2\n\n');
    }
    expect(text).toBe('data: 1\n\ndata: 2\n\n');
  });

  test(`D49: ${name} reports a truncated compressed response as a network error`, async () => {
    const half = gzipSync(Buffer.from(TEXT)).subarray(0, 40);
    const { url } = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '1000' });
      response.write(half);
      setImmediate(() => response.destroy());
    });
    await expect((await create()(requestTo(url))).text(1_000_000)).rejects.toMatchObject({ kind: 'network', sent: true });
  });

  test(`D49: ${name} reads a response without a body that has a content-encoding`, async () => {
    const { url } = await serveHttp((_, response) => response.writeHead(304, { 'content-encoding': 'gzip' }).end());
    const response = await create()(requestTo(url));
    expect([response.status, await response.text(10)]).toEqual([304, '']);
  });

  test.each(['gzip', 'deflate', 'br'])(`D49: ${name} reads an empty body that is declared as %s`, async (coding) => {
    const { url } = await serveHttp((request, response) => {
      // With and without a content-length.
      response.writeHead(200, { 'content-encoding': coding, ...(request.url === '/0' && { 'content-length': '0' }) }).end();
    });
    const exchange = create();
    for (const path of ['/0', '/chunked']) expect(await (await exchange(requestTo(`${url}${path}`))).text(10)).toBe('');
    for await (const chunk of (await exchange(requestTo(url))).chunks()) expect(chunk).toHaveLength(0);
  });

  test(`D49: ${name} reads a raw deflate body that arrives byte by byte`, async () => {
    const { url } = await serveHttp(async (_, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate' });
      for (const byte of deflateRawSync('grüße')) {
        response.write(Uint8Array.of(byte));
        await new Promise((next) => setImmediate(next));
      }
      response.end();
    });
    expect(await (await create()(requestTo(url))).text(100)).toBe('grüße');
  });

  test(`D49: ${name} returns the status and headers of a response with an unknown content coding`, async () => {
    const { url } = await serveHttp((_, response) => response.writeHead(429, { 'content-encoding': 'own', 'retry-after': '7' }).end('x'));
    const response = await create()(requestTo(url));
    expect([response.status, response.header('retry-after')]).toEqual([429, '7']);
    response.discard();
  });

  test.each([301, 302, 303])(`D49, F78: ${name} sends a POST once when the response has status %i`, async (status) => {
    const seen: string[] = [];
    const { url } = await serveHttp((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(status, { location: '/to' }).end();
    });
    const post = requestTo(`${url}/from`, { method: 'POST', body: '{}' });
    await expect(exchangeFollowing(create(), post)).rejects.toMatchObject({ kind: 'network', sent: true, httpStatus: status });
    expect(seen).toEqual(['POST /from']);
  });

  test(`D49: ${name} sends a large body completely`, async () => {
    const { url } = await serveHttp((request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('end', () => response.end(String(bytes)));
    });
    const body = 'ü'.repeat(8 * 1024 * 1024);
    const response = await create()(requestTo(url, { method: 'POST', body, timeouts: { writeMs: 60_000 } }));
    expect(await response.text(100)).toBe(String(16 * 1024 * 1024));
  });

  test(`D49: ${name} reads a response that arrives before the request body was read`, async () => {
    const { url } = await serveHttp((request, response) => {
      response.writeHead(413, { 'content-type': 'text/plain' }).end('too large');
      request.resume();
    });
    const response = await create()(requestTo(url, { method: 'POST', body: 'x'.repeat(1024 * 1024) }));
    expect([response.status, await response.text(100)]).toEqual([413, 'too large']);
  });

  test(`D49: ${name} refuses a header value that HTTP cannot carry, without quoting it`, async () => {
    const { url, connections } = await serveHttp((_, response) => response.end());
    for (const value of ['a\r\nx-more: secret', 'secret\u{1f600}']) {
      const failing = create()(requestTo(url, { headers: { 'x-key': value } }));
      await expect(failing).rejects.toMatchObject({ reason: 'INVALID_REQUEST', message: expect.not.stringContaining('secret') });
    }
    expect(connections()).toBe(0);
  });

  test(`D49: ${name} reports sent: false for an unknown host, an untrusted certificate and a server without TLS`, async () => {
    const secure = await serveHttps((_, response) => response.end());
    const plain = await serveHttp((_, response) => response.end());
    // The resolver itself refuses a label this long, without a DNS query.
    for (const url of [`http://${'a'.repeat(64)}.test/`, secure.url, plain.url.replace('http:', 'https:')]) {
      const failing = create()(requestTo(url, { method: 'POST', body: '{}' }));
      await expect(failing).rejects.toMatchObject({ kind: 'network', sent: false, reason: 'AGENT_UNAVAILABLE' });
    }
  });

  test(`D49: ${name} reaches localhost on each of its addresses, and an IPv6 address in brackets`, async () => {
    for (const { address } of await lookup('localhost', { all: true })) {
      const { port } = await serveHttp((_, response) => response.end('here'), address);
      expect(await (await create()(requestTo(`http://localhost:${port}/`))).text(10)).toBe('here');
    }
    const { url } = await serveHttp(({ headers }, response) => response.end(headers.host), '::1');
    expect(await (await create()(requestTo(url))).text(100)).toBe(new URL(url).host);
  });

  test(`D49: ${name} closes the connection of a stream that is not read to its end`, async () => {
    let left = 0;
    const { url } = await serveHttp((request, response) => {
      request.on('close', () => {
        left += 1;
      });
      response.write('some');
    });
    const exchange = create();
    (await exchange(requestTo(url))).discard();
    await until(() => left === 1);
    for await (const _ of (await exchange(requestTo(url))).chunks()) break;
    await until(() => left === 2);
    const leaving = new AbortController();
    await exchange(requestTo(url, { signal: leaving.signal }));
    leaving.abort();
    await until(() => left === 3);
  });
});
