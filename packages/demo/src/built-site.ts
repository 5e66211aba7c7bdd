/** The built Studio: a page and the files that it loads. Everything is kept in memory, so that a new build does not break open pages. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { WireReply, WireRequest } from '@parley/a2a/node';
import { chooseEncoding, ENCODINGS, type Encoding } from './encoding.js';

export interface BuiltSite {
  /** The page itself, with its Content-Security-Policy. */
  page(request: WireRequest): WireReply;
  /** A file that the page loads, found by the end of the request path; 404 for any file that is not part of the build. */
  asset(request: WireRequest): WireReply;
}

interface BuiltFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Uint8Array;
  readonly compressed: ReadonlyMap<Encoding, Uint8Array>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The path of the files; the build of Studio writes the same path into the page. */
export const ASSET_PATH = '/-/studio/';

// Content of agents is displayed, and never executed or fetched: no inline script, no remote image, no frame, no form, no plug-in. Other
// agents can be called if they run on this machine.
const LOOPBACK = ['localhost', '127.0.0.1'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]).join(' ');
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  `connect-src 'self' ${LOOPBACK}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  // Nothing in the page creates elements from text, and injected code cannot do it either.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'Accept, Accept-Encoding',
};
// Their names change with their content.
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' };

/** Reads the build in this folder; undefined if there is none. */
export function openSite(folder: string): BuiltSite | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const index = readBuilt(join(folder, 'index.html'));
  const assets = readAssets(folder);
  return {
    page: (request) => serve(request, index, PAGE_HEADERS),
    asset(request) {
      const file = assets.get(request.path.slice(request.path.indexOf(ASSET_PATH) + ASSET_PATH.length));
      if (file) return serve(request, file, ASSET_HEADERS);
      return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'File not found.\n' };
    },
  };
}

/** A request can only name files in this list, so no path leads out of the folder. */
function readAssets(folder: string): ReadonlyMap<string, BuiltFile> {
  const assets = new Map<string, BuiltFile>();
  if (!existsSync(join(folder, 'assets'))) return assets;
  for (const name of readdirSync(join(folder, 'assets'), { recursive: true, encoding: 'utf8' })) {
    if (extname(name) in TYPES) assets.set(`assets/${name.replaceAll(sep, '/')}`, readBuilt(join(folder, 'assets', name)));
  }
  return assets;
}

function readBuilt(path: string): BuiltFile {
  const bytes = readFileSync(path);
  const compressed = new Map<Encoding, Uint8Array>();
  for (const { name, suffix } of ENCODINGS) {
    if (existsSync(path + suffix)) compressed.set(name, readFileSync(path + suffix));
  }
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', etag, bytes, compressed };
}

function serve(request: WireRequest, file: BuiltFile, more: Readonly<Record<string, string>>): WireReply {
  const encoding = chooseEncoding(request.header('accept-encoding') ?? '', file.compressed);
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`;
  const headers = { ...more, etag, 'x-content-type-options': 'nosniff' };
  if (isKnown(request.header('if-none-match') ?? '', etag)) return { status: 304, headers, body: '' };
  return {
    status: 200,
    headers: { ...headers, 'content-type': file.type, ...(encoding && { 'content-encoding': encoding }) },
    body: (encoding && file.compressed.get(encoding)) ?? file.bytes,
  };
}

function isKnown(known: string, etag: string): boolean {
  return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
