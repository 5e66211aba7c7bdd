// The dependency directions of packages/a2a/src. Every folder must have a row here.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Layer {
  /** Folders, or single files, that the layer may import besides itself. */
  readonly imports: readonly string[];
  /** Packages that the layer may import: a host or a driver, never a general-purpose library. */
  readonly packages?: readonly string[];
}

const SERVER = ['protocol', 'platform', 'net', 'wire/http', 'stores/store', 'bus/bus'];
const ADAPTER = [
  'bindings',
  'server/agent',
  'wire/http',
  'wire/body-limits',
  'wire/content-encoding',
  'wire/slice-end',
  'protocol/clock',
  'protocol/errors',
  'platform',
];

/** A file belongs to the row that is the longest prefix of its path. */
const LAYERS: Readonly<Record<string, Layer>> = {
  index: { imports: ['protocol'] },
  security: { imports: ['protocol'] },
  protocol: { imports: [] },
  platform: { imports: ['protocol'] },
  wire: { imports: ['protocol'] },
  compat: { imports: ['protocol', 'wire'] },
  net: { imports: ['protocol', 'platform'] },
  stores: { imports: ['protocol', 'platform'] },
  'stores/sqlite': { imports: ['protocol', 'platform'], packages: ['libsql', 'libsql/promise'] },
  'stores/postgres': { imports: ['protocol', 'platform', 'stores'], packages: ['pg'] },
  bus: { imports: ['protocol', 'platform', 'stores/store'] },
  'bus/postgres': { imports: ['protocol', 'platform', 'stores/store', 'bus/bus'], packages: ['pg'] },
  'bus/redis': { imports: ['protocol', 'platform', 'stores/store', 'bus/bus'], packages: ['ioredis'] },
  // A store with its bus.
  postgres: { imports: ['stores/store', 'stores/postgres', 'bus/bus', 'bus/postgres', 'platform', 'protocol'], packages: ['pg'] },
  redis: { imports: ['bus/bus', 'bus/redis'], packages: ['ioredis'] },
  server: { imports: SERVER },
  // The public list and the default options: the only places of the runtime that name an implementation.
  'server/index': { imports: [...SERVER, 'stores/memory', 'bus/memory'] },
  'server/options': { imports: [...SERVER, 'stores/memory', 'bus/silent'] },
  client: { imports: ['protocol', 'platform', 'wire', 'net'] },
  'client/v03': { imports: ['client', 'compat', 'protocol', 'wire'] },
  conversation: { imports: ['client'] },
  coordinator: { imports: ['client'] },
  oauth: { imports: ['client/auth', 'protocol', 'platform'], packages: ['oauth4webapi'] },
  react: { imports: ['client', 'protocol', 'platform'], packages: ['react'] },
  'assistant-ui': { imports: ['react', 'client', 'protocol', 'platform', 'wire'], packages: ['react', '@assistant-ui/react'] },
  bindings: { imports: ['server', 'wire', 'protocol', 'platform'] },
  'bindings/v03': { imports: ['bindings', 'compat', 'server/call', 'platform', 'wire', 'protocol'] },
  node: { imports: ['adapters/node', 'client/node'] },
  adapters: { imports: ADAPTER },
  'adapters/express': { imports: ADAPTER, packages: ['express'] },
  'adapters/hono': { imports: ADAPTER, packages: ['hono'] },
  testing: {
    imports: ['protocol', 'platform', 'wire', 'net', 'stores', 'bus', 'server', 'bindings', 'adapters', 'client', 'conversation'],
  },
};

/** The only places that may use Node; all other code runs on any platform. */
const NODE_ONLY = [
  'adapters/node',
  'net/guarded-fetch',
  'platform/require-package',
  'client/node',
  'stores/sqlite',
  'stores/postgres',
  'bus/postgres',
  'bus/redis',
  'testing',
];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly kind: 'file' | 'node' | 'package';
}

const source = fileURLToPath(new URL('../packages/a2a/src', import.meta.url));
const code = readCode();
const imports = [...code].flatMap(([file, text]) => importsOf(file, text));

test('every file belongs to a layer', () => {
  expect([...code.keys()].filter((file) => rowOf(file) === undefined)).toEqual([]);
});

test('a layer imports only what its row allows', () => {
  expect(imports.filter((one) => !isAllowed(one)).map(show)).toEqual([]);
});

test('only `client/node` itself, the entry point `/node` and the condition `node` of `#exchange` import `client/node`', () => {
  const others = [...code].flatMap(([file, text]) =>
    /['"][^'"]*\/node\/(?:pooled|default-exchange)[^'"]*['"]/.test(text) && !isInside(file, 'client/node') ? [file] : [],
  );
  expect(others).toEqual(['node']);
});

test('D50: only `compat.ts` of the bindings and of the client load the code for A2A 0.3, and only when they need it', () => {
  const loaders = [...code].flatMap(([file, text]) =>
    ['bindings', 'client'].some((side) => isInside(file, `${side}/v03`)) || !/['"]\.[^'"]*\/v03\//.test(text) ? [] : [file],
  );
  expect(loaders.filter((file) => !isInside(file, 'compat')).sort()).toEqual(['bindings/compat', 'client/compat']);
  for (const file of ['bindings/compat', 'client/compat']) {
    const statements = code.get(file)?.match(/^(?:import|export)\b.*v03.*$/gm) ?? [];
    expect(statements, 'a type or a dynamic import does not load it at once').toEqual([]);
  }
});

test('only `client/node/default-exchange` reads environment variables', () => {
  const readers = [...code]
    .filter(([, text]) => /\bprocess\.env\b|\benv\b.*\bprocess\b|\bimport\.meta\.env\b/.test(text))
    .map(([file]) => file);
  expect(readers).toEqual(['client/node/default-exchange']);
});

test('only the listed places import from node:', () => {
  const strangers = imports.filter(({ from, kind }) => kind === 'node' && !NODE_ONLY.some((place) => isInside(from, place)));
  expect(strangers.map(show)).toEqual([]);
});

test('no file imports itself, directly or indirectly', () => {
  expect(findCycle()).toEqual([]);
});

test('no comment disables the rules on platforms and layers', () => {
  const suppression = /biome-ignore(-all|-start)?\s+lint(:|\s|\/style:|\/style\/noRestricted(Globals|Imports))/;
  expect([...code].filter(([, text]) => suppression.test(text)).map(([file]) => file)).toEqual([]);
});

test('every form of import is detected', () => {
  const text = [
    "import './a.js';",
    "import type { B } from '../b.js';",
    "export {\n  c,\n} from '../x/c.js';",
    "const d = await import('node:fs');",
    "type E = import('e').E;",
    "export const f = 'from nowhere';",
  ].join('\n');
  expect(importsOf('x/y', text).map(({ to }) => to)).toEqual(['x/a', 'b', 'x/c', 'node:fs', 'e']);
});

/** The text of each file, by its path without the extension. */
function readCode(): Map<string, string> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.ts$/.test(path));
  return new Map(files.map((path) => [path.replaceAll('\\', '/').replace(/\.ts$/, ''), readFileSync(join(source, path), 'utf8')]));
}

function importsOf(from: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\b(?:[^;'"=(]*\bfrom)?\s*['"]([^'"]+)['"]/gm);
  const expressions = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [...statements, ...expressions].map(([, specifier = '']) => resolveImport(from, specifier));
}

function resolveImport(from: string, specifier: string): Import {
  if (specifier.startsWith('node:')) return { from, to: specifier, kind: 'node' };
  if (specifier === '#output-check') return { from, to: 'protocol/output-check/strict', kind: 'file' };
  if (specifier === '#exchange') return { from, to: 'client/node/default-exchange', kind: 'file' };
  if (!specifier.startsWith('.')) return { from, to: specifier, kind: 'package' };
  return { from, to: posix.join(posix.dirname(from), specifier).replace(/\.js$/, ''), kind: 'file' };
}

function rowOf(file: string): Layer | undefined {
  const names = Object.keys(LAYERS).filter((name) => isInside(file, name));
  const [nearest = ''] = names.sort((a, b) => b.length - a.length);
  return LAYERS[nearest];
}

function isAllowed({ from, to, kind }: Import): boolean {
  const { imports: allowed = [], packages = [] } = rowOf(from) ?? {};
  if (kind === 'node') return true;
  if (kind === 'package') return packages.includes(to);
  return topFolder(from) === topFolder(to) || allowed.some((place) => isInside(to, place));
}

function isInside(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function topFolder(file: string): string {
  return file.replace(/\/.*/, '');
}

function show({ from, to }: Import): string {
  return `${from} → ${to}`;
}

/** Returns one cycle as a path, or an empty list. Each file is visited once. */
function findCycle(): readonly string[] {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { to } of imports.filter(({ from }) => from === file)) {
      const cycle = visit(to, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of code.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
