// Entry points are public API: adding one is a decision, removing one requires a major version.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type InputOptions, type OutputChunk, rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const library = new URL('../packages/a2a/', import.meta.url);
const { exports, imports, type, sideEffects, dependencies } = JSON.parse(readFileSync(new URL('package.json', library), 'utf8'));

interface Entry {
  readonly file: string;
  /** Whether it must run without Node. */
  readonly neutral: boolean;
  /** The packages that the user of a neutral entry point must install. Default: none. */
  readonly imports?: readonly string[];
}

const ENTRIES: Readonly<Record<string, Entry>> = {
  '.': { file: 'index', neutral: true },
  './security': { file: 'security', neutral: true },
  './protocol': { file: 'protocol/index', neutral: true },
  './server': { file: 'server/index', neutral: true },
  './server/advanced': { file: 'server/advanced', neutral: true },
  './client': { file: 'client/index', neutral: true },
  './client/advanced': { file: 'client/advanced', neutral: true },
  './conversation': { file: 'conversation', neutral: true },
  './coordinator': { file: 'coordinator', neutral: true },
  './oauth': { file: 'oauth/index', neutral: true, imports: ['oauth4webapi'] },
  './node': { file: 'node', neutral: false },
  './fetch': { file: 'adapters/fetch', neutral: true },
  './express': { file: 'adapters/express', neutral: false },
  './hono': { file: 'adapters/hono', neutral: true },
  './react': { file: 'react/index', neutral: true, imports: ['react'] },
  './assistant-ui': { file: 'assistant-ui/index', neutral: true, imports: ['@assistant-ui/react', 'react'] },
  './sqlite': { file: 'stores/sqlite/index', neutral: false },
  './postgres': { file: 'postgres', neutral: false },
  './redis': { file: 'redis', neutral: false },
  './testing': { file: 'testing/index', neutral: false },
};

/** The sources as users get them: without the strict output check, and with the exchange for platforms other than Node. */
const INPUT = {
  platform: 'neutral',
  // The paths in tsconfig are for tests, and would override the aliases below.
  tsconfig: false,
  logLevel: 'silent',
  resolve: {
    extensionAlias: { '.js': ['.ts', '.js'] },
    alias: {
      '#output-check': fileURLToPath(new URL('src/protocol/output-check/none.ts', library)),
      '#exchange': fileURLToPath(new URL('src/client/transports/default-exchange.ts', library)),
    },
  },
} as const satisfies InputOptions;

test('D39: the export map contains exactly the listed entry points', () => {
  const promised = Object.entries(ENTRIES).map(([entry, { file }]) => [
    entry,
    { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
  ]);
  expect(exports).toEqual(Object.fromEntries(promised));
});

test('the output check is strict only under its condition', () => {
  const folder = './dist/protocol/output-check';
  expect(imports['#output-check']).toEqual({ 'check-output': `${folder}/strict.js`, default: `${folder}/none.js` });
});

/** The conditions that each runtime or bundler sets, besides `import` and `default`. */
const RUNTIMES: readonly (readonly [runtime: string, conditions: readonly string[], exchange: 'fetch' | 'pool'])[] = [
  ['Node', ['node', 'node-addons'], 'pool'],
  ['a bundler for Node', ['node', 'module'], 'pool'],
  ['Bun', ['bun', 'node'], 'fetch'],
  ['Deno', ['deno', 'node'], 'fetch'],
  ['workerd', ['workerd', 'worker', 'browser'], 'fetch'],
  ['workerd with Node compatibility', ['workerd', 'worker', 'node'], 'fetch'],
  ['the Vercel edge runtime', ['edge-light', 'worker', 'node'], 'fetch'],
  ['a bundler for browsers', ['browser', 'module'], 'fetch'],
  ['jsdom on Node', ['browser', 'node'], 'fetch'],
  ['React Native', ['react-native', 'node'], 'fetch'],
  ['an unknown platform', [], 'fetch'],
];

test.each(RUNTIMES)('D49: on %s with the conditions %j the default exchange is %s', (_, conditions, exchange) => {
  const conditional: Record<string, string> = imports['#exchange'];
  const met = Object.keys(conditional).find((condition) => condition === 'default' || conditions.includes(condition));
  const file = exchange === 'pool' ? './dist/client/node/default-exchange.js' : './dist/client/transports/default-exchange.js';
  expect(conditional[met ?? '']).toBe(file);
});

test('D49: the package has no other conditional import', () => {
  expect(Object.keys(imports)).toEqual(['#output-check', '#exchange']);
});

test('the library is ESM without side effects and has no dependencies', () => {
  expect({ type, sideEffects, dependencies }).toEqual({ type: 'module', sideEffects: false, dependencies: undefined });
});

test('the package contains the license of the repository', () => {
  expect(readFileSync(new URL('LICENSE', library), 'utf8')).toBe(readFileSync(new URL('../LICENSE', import.meta.url), 'utf8'));
});

for (const [entry, { file, neutral, imports: left = [] }] of Object.entries(ENTRIES)) {
  const remainder = left.length === 0 ? 'nothing' : `only ${left.join(', ')}`;
  if (neutral)
    test(`${entry} bundles for any platform, with ${remainder} left to import`, async () =>
      expect((await bundle(file)).sort()).toEqual(left));
}

// Size of each entry point for a page, in KiB, without the packages that the user installs. Raising a limit is a deliberate decision.
const SIZES: readonly { readonly entry: string; readonly uses?: string; readonly limit: Size }[] = [
  { entry: './client', limit: { minified: 241, gzip: 66 } },
  { entry: './client', uses: 'createClient', limit: { minified: 234, gzip: 63 } },
  { entry: './conversation', limit: { minified: 88.5, gzip: 29 } },
  { entry: './coordinator', limit: { minified: 240, gzip: 66 } },
  // Includes the provider, which can create a client and a conversation. The hooks alone are small.
  { entry: './react', limit: { minified: 299, gzip: 83 } },
  { entry: './react', uses: 'useConversation', limit: { minified: 6, gzip: 3 } },
  { entry: './assistant-ui', limit: { minified: 317, gzip: 88 } },
  { entry: './assistant-ui', uses: 'A2AClient', limit: { minified: 243, gzip: 66 } },
];

for (const { entry, uses, limit } of SIZES) {
  const name = `@parley/a2a${entry.slice(1)}`;
  const what = uses === undefined ? name : `${uses} of ${name}`;
  test(`${what} keeps its known size`, async () => {
    const program = uses === undefined ? `export * from '${name}';` : `import { ${uses} } from '${name}';\nconsole.log(${uses});`;
    const size = await sizeOf(program, ENTRIES[entry]?.imports ?? []);
    console.log(`${what}: ${show(size)}`);
    expect(size.minified).toBeLessThanOrEqual(limit.minified);
    expect(size.gzip).toBeLessThanOrEqual(limit.gzip);
    // A limit far above the actual size would detect nothing.
    expect(size.minified).toBeGreaterThan(limit.minified * 0.95);
  });
}

test('D50: a page loads the code for A2A 0.3 only when it calls such an agent', async () => {
  const chunks = await generate('program', "export * from '@parley/a2a/client';", []);
  const later = chunks.filter(({ fileName }) => !loadedAtOnce(chunks).has(fileName));
  const size = sizeOfChunks(later);
  console.log(`A2A 0.3: ${show(size)}`);
  expect(later.map(({ moduleIds }) => moduleIds.some((id) => id.includes('/compat/v03/')))).toEqual([true]);
  expect(size.gzip).toBeLessThanOrEqual(6.5);
  const atOnce = chunks.filter(({ fileName }) => loadedAtOnce(chunks).has(fileName)).flatMap(({ moduleIds }) => moduleIds);
  expect(atOnce.filter((id) => id.includes('v03'))).toEqual([]);
});

interface Size {
  readonly minified: number;
  readonly gzip: number;
}

const show = ({ minified, gzip }: Size): string => `${minified.toFixed(1)} KiB minified, ${gzip.toFixed(1)} KiB with gzip`;

/** Size in KiB of a program bundled for browsers: of the code that a page loads at once, without the chunks that it loads when needed. */
async function sizeOf(program: string, external: readonly string[]): Promise<Size> {
  const chunks = await generate('program', program, external);
  return sizeOfChunks(chunks.filter(({ fileName }) => loadedAtOnce(chunks).has(fileName)));
}

function sizeOfChunks(chunks: readonly OutputChunk[]): Size {
  const code = chunks.map((chunk) => chunk.code).join('\n');
  return { minified: Buffer.byteLength(code) / 1024, gzip: gzipSync(code, { level: 9 }).length / 1024 };
}

/** The files of the entry and of everything that it imports statically. */
function loadedAtOnce(chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    queue.push(...(chunks.find(({ fileName }) => fileName === name)?.imports ?? []));
  }
  return found;
}

/** The chunks of a bundle of the program. */
async function generate(name: string, program: string, external: readonly string[]): Promise<OutputChunk[]> {
  const sources = new Map(Object.entries(ENTRIES).map(([entry, { file }]) => [`@parley/a2a${entry.slice(1)}`, `src/${file}.ts`]));
  const plugin = {
    name,
    resolveId: (id: string) => (id === name ? id : sources.has(id) ? fileURLToPath(new URL(sources.get(id) ?? '', library)) : null),
    load: (id: string) => (id === name ? program : null),
  };
  const build = await rolldown({ ...INPUT, input: name, plugins: [plugin], external: [...external] });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true });
    return output.filter((chunk) => chunk.type === 'chunk');
  } finally {
    await build.close();
  }
}

/** Bundles an entry point from its source and returns the remaining imports. */
async function bundle(file: string): Promise<string[]> {
  const build = await rolldown({ ...INPUT, input: fileURLToPath(new URL(`src/${file}.ts`, library)), external: /^[@a-z]/ });
  try {
    const { output } = await build.generate({ format: 'esm' });
    const own = new Set(output.map(({ fileName }) => fileName));
    const left = output.flatMap((chunk) => (chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : []));
    return [...new Set(left.filter((name) => !own.has(name)))];
  } finally {
    await build.close();
  }
}
