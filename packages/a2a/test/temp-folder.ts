import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is removed after the tests of the file. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a new file name in such a folder on each call. */
export function tempFiles(extension = 'db'): () => string {
  const folder = tempFolder();
  let files = 0;
  return () => {
    files += 1;
    return join(folder, `${files}.${extension}`);
  };
}
