import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongFirst } from './scripts/long-first.mjs';

const library = new URL('./packages/a2a/', import.meta.url);
const { name, exports, imports } = JSON.parse(readFileSync(new URL('package.json', library), 'utf8'));

/** Inside tests every entry point is its TypeScript source, and every emitted message passes the strict output check. */
const alias = Object.entries<{ default: string }>(exports).map(([entry, { default: target }]) => ({
  find: new RegExp(`^${name}${entry.slice(1)}$`),
  replacement: source(target),
}));

/** Tests that get a PostgreSQL and a Redis: `inject('postgresUrl')`, `inject('redisUrl')`. */
const WITH_DATABASES = [
  'packages/a2a/src/stores/postgres/**/*.test.ts',
  'packages/a2a/src/bus/{postgres,redis}/**/*.test.ts',
  'packages/a2a/test/databases/**/*.test.ts',
  'examples/cluster/*.test.ts',
  'test/databases/*.test.ts',
];

/** Tests that replace a module, or globals without an environment of their own: each runs in a process of its own. */
const ISOLATED = ['packages/a2a/src/stores/sqlite/durability.test.ts', 'examples/react-chat/*.test.ts'];

function source(target: string): string {
  return fileURLToPath(new URL(target.replace('./dist/', './src/').replace(/\.js$/, '.ts'), library));
}

export default defineConfig({
  resolve: {
    alias: [
      ...alias,
      { find: /^#output-check$/, replacement: source(imports['#output-check']['check-output']) },
      { find: /^#exchange$/, replacement: source(imports['#exchange'].node) },
    ],
  },
  test: {
    // Many tests wait for something: a database, a browser, a process. One worker less than there are cores would wait with them.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongFirst },
    projects: [
      // Without isolation a worker imports the library once, not once per file: that halves the processor time of all unit tests.
      {
        extends: true,
        test: {
          name: 'alone',
          isolate: false,
          include: ['packages/*/{src,test}/**/*.test.ts', '{bench,examples,test}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ISOLATED, ...WITH_DATABASES],
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      {
        extends: true,
        test: { name: 'databases', isolate: false, include: WITH_DATABASES, globalSetup: './scripts/databases/for-tests.mjs' },
      },
    ],
  },
});
