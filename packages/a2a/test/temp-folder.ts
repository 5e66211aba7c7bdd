import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is gone when the tests of the file are through. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Names of files in such a folder, a new one each time. */
export function tempFiles(extension = 'db'): () => string {
  const folder = tempFolder();
  let files = 0;
  return () => {
    files += 1;
    return join(folder, `${files}.${extension}`);
  };
}
