import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BUDGET_BYTES, measureStudio } from '../scripts/check-studio.mjs';

const studio = fileURLToPath(new URL('../packages/studio/', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(join(studio, 'package.json'), 'utf8'));
const { exports } = JSON.parse(readFileSync(new URL('../packages/a2a/package.json', import.meta.url), 'utf8'));

const ENTRIES = Object.keys(exports).map((entry) => `@parley/a2a${entry.slice(1)}`);
const IMPORT = /(?:^|[\s;}])(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** The forbidden imports of a file. */
function strangersIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORT)].map(([, still, lazy]) => still ?? lazy ?? '').filter((name) => !isAllowed(file, name));
}

function isAllowed(file: string, name: string): boolean {
  if (name.startsWith('.')) return resolve(dirname(file), name).startsWith(join(studio, 'src'));
  if (name.startsWith('@parley/')) return ENTRIES.includes(name);
  const [scope = '', rest = ''] = name.split('/');
  return (scope.startsWith('@') ? `${scope}/${rest}` : scope) in devDependencies;
}

const sources = readdirSync(join(studio, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

test('Studio uses the library only through its public entry points, and nothing else of this repository', () => {
  const strangers = sources
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => strangersIn(join(studio, 'src', file)).map((name) => `${file}: ${name}`));
  expect(strangers).toEqual([]);
});

test('a forbidden import is detected', () => {
  const main = join(studio, 'src/main.tsx');
  for (const name of ['../../a2a/src/index.js', '@parley/a2a/dist/index.js', '@parley/demo', 'left-pad', '../vite.config.ts']) {
    expect(isAllowed(main, name), name).toBe(false);
  }
  for (const name of ['./app.js', '@parley/a2a', '@parley/a2a/client', 'react-dom/client', '@assistant-ui/react']) {
    expect(isAllowed(main, name), name).toBe(true);
  }
});

// `npm test` builds Studio first; a run of this single file may not have a build.
test.runIf(existsSync(join(studio, 'dist/manifest.json')))(
  'the first load of Studio stays within its budget of compressed JavaScript',
  () => {
    const { bytes, files } = measureStudio();
    expect(files.length).toBeGreaterThan(0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes, JSON.stringify(files)).toBeLessThanOrEqual(BUDGET_BYTES);
  },
);
