/** Writes a `.gz` and a `.br` file next to each built file, so that the server never compresses at run time. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt)$/;
/** A smaller file fits into one packet; compression would save nothing. */
const MIN_BYTES = 1_024;

export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    closeBundle() {
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (COMPRESSIBLE.test(file)) compress(join(folder, file));
      }
    },
  };
}

function compress(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length < MIN_BYTES) return;
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes));
}
