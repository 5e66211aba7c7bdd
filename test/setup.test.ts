import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isBuilt } from '../scripts/build-studio.mjs';
import { closure, START } from '../scripts/setup.mjs';

test('npm start needs the compiler, the bundler and the library, and none of the test tools', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const needed = closure(packages, START);
  expect([...needed]).toEqual(
    expect.arrayContaining(['node_modules/@parley/a2a', 'node_modules/typescript-next', 'node_modules/undici-types', 'node_modules/vite']),
  );
  expect(
    ['node_modules/vitest', 'node_modules/knip', 'node_modules/typescript', 'node_modules/playwright-core'].filter((path) =>
      needed.has(path),
    ),
  ).toEqual([]);
});

test('a package is resolved from its own folder upwards, as in Node', () => {
  const lock = {
    'packages/x': { devDependencies: { a: '1', b: '1' } },
    'node_modules/a': { dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': {},
    'node_modules/b': {},
    'node_modules/c': {},
  };
  expect([...closure(lock, ['packages/x'])].sort()).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/b',
    'packages/x',
  ]);
});

test('Studio is built if there is no build, or if a source is new, changed or deleted; test files do not count', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-built-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (path: string, seconds: number): void => utimesSync(join(folder, path), seconds, seconds);
  const write = (path: string): void => writeFileSync(join(folder, path), '');
  const settle = (): void => {
    for (const path of ['src/deep/a.ts', 'src/deep/a.test.ts', 'src/deep', 'src', 'index.html']) at(path, 1_000);
    write('stamp');
    at('stamp', 2_000);
  };
  const built = (): boolean => isBuilt(join(folder, 'stamp'), [join(folder, 'src'), join(folder, 'index.html'), join(folder, 'none')]);
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  for (const path of ['src/deep/a.ts', 'src/deep/b.ts', 'src/deep/a.test.ts', 'index.html']) write(path);
  expect(built(), 'never built').toBe(false);
  rmSync(join(folder, 'src/deep/b.ts'));
  settle();
  expect(built()).toBe(true);
  at('src/deep/a.test.ts', 3_000);
  expect(built(), 'a test changed').toBe(true);
  at('src/deep/a.ts', 3_000);
  expect(built(), 'a source changed').toBe(false);
  settle();
  write('src/deep/b.ts');
  rmSync(join(folder, 'src/deep/b.ts'));
  expect(built(), 'a source is deleted').toBe(false);
});
