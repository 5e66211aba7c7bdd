import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as nodeRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { Listening } from '@parley/a2a/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fastClock } from '../test/client.js';
import { startDemo } from './start-demo.js';

const SCRIPT = 'console.log("grüße");\n'.repeat(100);
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let listening: Listening;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-site-'));
  mkdirSync(join(folder, 'assets', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Studio</title>');
  writeFileSync(join(folder, 'secret.json'), '{}');
  writeFileSync(join(folder, 'assets', 'deep', 'dot-Ab12.png'), Uint8Array.from([0x89, 0x50, 0xff, 0x00]));
  writeFileSync(join(folder, 'assets', 'index-Cd34.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'index-Cd34.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets', 'index-Cd34.js.br'), brotliCompressSync(SCRIPT));
  listening = await startDemo({ port: 0, clock: fastClock, studioFolder: folder });
});

afterAll(async () => {
  await listening.close({ drainMs: 0 });
  rmSync(folder, { recursive: true });
});

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** The raw response: fetch would decompress it, add headers and normalize the path. */
function get(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = nodeRequest({ host: '127.0.0.1', port: listening.port, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
    });
    sent.on('error', reject).end();
  });
}

test('a browser gets Studio at /, revalidated each time and never inside a frame', async () => {
  const { status, headers, bytes } = await get('/?agent=x', asBrowser);
  expect([status, bytes.toString()]).toEqual([200, '<!doctype html><title>Studio</title>']);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: expect.stringContaining('Accept'),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const rules = String(headers['content-security-policy']).split('; ');
  expect(rules).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "trusted-types 'none'",
    ]),
  );
  expect(rules.join(), 'remote images would reveal what is read here').not.toMatch(/unsafe|img-src[^,]*http/);
});

test('a terminal gets text at /, and the commands have their own page', async () => {
  expect((await get('/')).headers['content-type']).toBe('text/plain; charset=utf-8');
  expect((await get('/-/commands')).bytes.toString()).toContain('curl -N');
  const page = await get('/-/commands', asBrowser);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.bytes.toString()).toContain('<h1>Parley demo</h1>');
});

test('assets are cached forever and sent in the smallest form that the browser accepts', async () => {
  const path = '/-/studio/assets/index-Cd34.js';
  const plain = await get(path);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringContaining('Accept-Encoding'),
    'content-length': String(Buffer.byteLength(SCRIPT)),
  });
  expect(plain.bytes.toString()).toBe(SCRIPT);
  const small = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect(small.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(small.bytes).toString()).toBe(SCRIPT);
  for (const accepted of ['gzip', 'br;q=0, GZIP;q=0.5', 'br; q=0.0, gzip']) {
    const zipped = await get(path, { 'accept-encoding': accepted });
    expect(zipped.headers['content-encoding'], accepted).toBe('gzip');
    expect(gunzipSync(zipped.bytes).toString()).toBe(SCRIPT);
  }
  for (const accepted of ['', 'identity', 'gzip;q=0', 'brr', '*;q=0', 'gzip;q=x']) {
    expect((await get(path, { 'accept-encoding': accepted })).headers['content-encoding'], accepted).toBeUndefined();
  }
});

test('an unchanged file is not sent again; each form of a file has its own ETag', async () => {
  const path = '/-/studio/assets/index-Cd34.js';
  const forms = await Promise.all(['', 'gzip', 'br'].map((accepted) => get(path, { 'accept-encoding': accepted })));
  const tags = forms.map(({ headers }) => String(headers.etag));
  expect(new Set(tags).size).toBe(3);
  for (const known of [tags[2], `W/${tags[2]}`, `"x", ${tags[2]}`, '*']) {
    const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': known ?? '' });
    expect([again.status, again.bytes.length], known).toEqual([304, 0]);
  }
  expect((await get(path, { 'if-none-match': tags[2] ?? '' })).status).toBe(200);
  const { headers } = await get('/', asBrowser);
  expect((await get('/', { ...asBrowser, 'if-none-match': String(headers.etag) })).status).toBe(304);
});

test('binary files are served as bytes', async () => {
  const { headers, bytes } = await get('/-/studio/assets/deep/dot-Ab12.png');
  expect([headers['content-type'], [...bytes]]).toEqual(['image/png', [0x89, 0x50, 0xff, 0x00]]);
});

test('no path leads out of the folder, or to a file that the page does not load', async () => {
  for (const path of [
    '/-/studio/',
    '/-/studio/assets/',
    '/-/studio/index.html',
    '/-/studio/secret.json',
    '/-/studio/assets/../secret.json',
    '/-/studio/assets/%2e%2e/secret.json',
    '/-/studio/assets/..%2fsecret.json',
    '/-/studio/assets/..\\secret.json',
    '/-/studio/../../package.json',
    '/-/studio//etc/passwd',
    '/-/studio/assets/index-Cd34.js.gz',
    '/-/studio/assets/index-Cd34.js%00.png',
    '/-/studio/assets/__proto__',
    `/-/studio/${'a/'.repeat(2_000)}`,
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
});

test('without a build, / is the page of commands', async () => {
  const bare = await startDemo({ port: 0, clock: fastClock, studioFolder: join(folder, 'none') });
  try {
    expect(await (await fetch(bare.url, { headers: asBrowser })).text()).toContain('<h1>Parley demo</h1>');
    expect((await fetch(`${bare.url}/-/studio/assets/x.js`)).status).toBe(404);
  } finally {
    await bare.close({ drainMs: 0 });
  }
});
