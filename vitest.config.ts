import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongFirst } from './scripts/long-first.mjs';

const library = new URL('./packages/a2a/', import.meta.url);
const { name, exports, imports } = JSON.parse(readFileSync(new URL('package.json', library), 'utf8'));

/** In tests, each entry point resolves to its TypeScript source, and the strict output check validates each emitted message. */
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

/** Tests that replace a module, timers, or globals without their own environment: each file runs in its own process. */
const ISOLATED = [
  'packages/a2a/src/stores/sqlite/durability.test.ts',
  'packages/a2a/test/system-clock.test.ts',
  'packages/a2a/test/strict-card.test.ts',
  'examples/react-chat/*.test.ts',
];

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
    // One worker per core: fewer would leave a core idle while a test waits, more would import the library once more.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongFirst },
    // Not the 5 s of Vitest: on a busy machine a test of one second may take ten. A test that hangs still fails.
    testTimeout: 15_000,
    setupFiles: './scripts/restore-stubs.mjs',
    projects: [
      // Without isolation a worker imports the library once, not once per file: this halves the processor time of all unit tests.
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
