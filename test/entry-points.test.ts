// Entry points are promises: adding one is a decision, removing one is a major version.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type InputOptions, rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const library = new URL('../packages/a2a/', import.meta.url);
const { exports, imports, type, sideEffects, dependencies } = JSON.parse(readFileSync(new URL('package.json', library), 'utf8'));

interface Entry {
  readonly file: string;
  /** Whether it must run where there is no Node. */
  readonly neutral: boolean;
  /** What a neutral one leaves to its user to install; default nothing. */
  readonly imports?: readonly string[];
}

const ENTRIES: Readonly<Record<string, Entry>> = {
  '.': { file: 'index', neutral: true },
  './server': { file: 'server/index', neutral: true },
  './client': { file: 'client/index', neutral: true },
  './oauth': { file: 'oauth/index', neutral: true, imports: ['oauth4webapi'] },
  './node': { file: 'node', neutral: false },
  './fetch': { file: 'adapters/fetch', neutral: true },
  './express': { file: 'adapters/express', neutral: false },
  './hono': { file: 'adapters/hono', neutral: true },
  './sqlite': { file: 'stores/sqlite/index', neutral: false },
  './testing': { file: 'testing/index', neutral: false },
};

/** Sources as users get them: without the strict output check. */
const INPUT = {
  platform: 'neutral',
  logLevel: 'silent',
  resolve: {
    extensionAlias: { '.js': ['.ts', '.js'] },
    alias: { '#output-check': fileURLToPath(new URL('src/protocol/output-check/none.ts', library)) },
  },
} as const satisfies InputOptions;

test('D39: the export map holds exactly the promised entry points', () => {
  const promised = Object.entries(ENTRIES).map(([entry, { file }]) => [
    entry,
    { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
  ]);
  expect(exports).toEqual(Object.fromEntries(promised));
});

test('the output check is strict under its condition only', () => {
  const folder = './dist/protocol/output-check';
  expect(imports).toEqual({ '#output-check': { 'check-output': `${folder}/strict.js`, default: `${folder}/none.js` } });
});

test('the library is ESM without side effects and brings nothing along', () => {
  expect({ type, sideEffects, dependencies }).toEqual({ type: 'module', sideEffects: false, dependencies: undefined });
});

test('the package carries the license of the repository', () => {
  expect(readFileSync(new URL('LICENSE', library), 'utf8')).toBe(readFileSync(new URL('../LICENSE', import.meta.url), 'utf8'));
});

for (const [entry, { file, neutral, imports: left = [] }] of Object.entries(ENTRIES)) {
  const remainder = left.length === 0 ? 'nothing' : `only ${left.join(', ')}`;
  if (neutral)
    test(`${entry} bundles for any platform, with ${remainder} left to import`, async () => expect(await bundle(file)).toEqual(left));
}

// What a page pays for the client, in KiB: a change that needs more is a decision, and is made here.
const CLIENT_KIB = { all: { minified: 264, gzip: 61 }, used: { minified: 249, gzip: 56 } };

test('the client has the size that it is known to have', async () => {
  const all = await sizeOf(`export * from '@parley/a2a/client';`);
  const used = await sizeOf(`import { createClient } from '@parley/a2a/client';\nconsole.log(createClient);`);
  console.log(`@parley/a2a/client: ${show(all)}; createClient alone: ${show(used)}`);
  for (const [size, limit] of [
    [all, CLIENT_KIB.all],
    [used, CLIENT_KIB.used],
  ] as const) {
    expect(size.minified).toBeLessThanOrEqual(limit.minified);
    expect(size.gzip).toBeLessThanOrEqual(limit.gzip);
    // A limit far above what is there would hold nothing.
    expect(size.minified).toBeGreaterThan(limit.minified * 0.95);
  }
});

interface Size {
  readonly minified: number;
  readonly gzip: number;
}

const show = ({ minified, gzip }: Size): string => `${minified.toFixed(1)} KiB minified, ${gzip.toFixed(1)} KiB with gzip`;

/** KiB of a program as a bundler makes it for browsers. */
async function sizeOf(program: string): Promise<Size> {
  const [code = ''] = await generate('program', program);
  return { minified: Buffer.byteLength(code) / 1024, gzip: gzipSync(code, { level: 9 }).length / 1024 };
}

/** The code of a bundle of that program. */
async function generate(name: string, program: string): Promise<string[]> {
  const plugin = {
    name,
    resolveId: (id: string) =>
      id === name ? id : id === '@parley/a2a/client' ? fileURLToPath(new URL('src/client/index.ts', library)) : null,
    load: (id: string) => (id === name ? program : null),
  };
  const build = await rolldown({ ...INPUT, input: name, plugins: [plugin], external: [] });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true });
    return output.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : []));
  } finally {
    await build.close();
  }
}

/** Bundles an entry point from its source and returns what the bundle still imports. */
async function bundle(file: string): Promise<string[]> {
  const build = await rolldown({ ...INPUT, input: fileURLToPath(new URL(`src/${file}.ts`, library)), external: /^[a-z]/ });
  try {
    const { output } = await build.generate({ format: 'esm' });
    return output.flatMap((chunk) => (chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : []));
  } finally {
    await build.close();
  }
}
