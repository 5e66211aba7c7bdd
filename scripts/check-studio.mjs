// Measures what a browser loads before it can show Studio.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './setup.mjs';

/** Limit for the compressed JavaScript of the first load. Raising it is a deliberate decision. */
export const BUDGET_BYTES = 350_000;

const DIST = join(root, 'packages/studio/dist');

/** @typedef {{ file: string, imports?: string[] }} Chunk */

/** The scripts that the page needs before it shows anything, each with its gzipped size. Lazy chunks do not count. */
export function measureStudio() {
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'));
  /** @type {Set<string>} */
  const needed = new Set(['index.html']);
  // Iterating a Set also visits the elements added during the loop.
  for (const name of needed) for (const imported of manifest[name]?.imports ?? []) needed.add(imported);
  const files = [...needed].map((name) => toSize(manifest[name]?.file ?? name));
  return { files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** @param {string} file */
function toSize(file) {
  return { file, bytes: gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length };
}
