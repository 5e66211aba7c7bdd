import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test('a package is looked up from its own folder upwards, as Node does', () => {
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
