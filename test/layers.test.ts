// The dependency directions of the packages. Every folder must have a row here.
import { describe, expect, test } from 'vitest';
import { findCycle, type Import, importsOf, isInside, placeOf, readImports, show } from './import-graph.js';

interface Layer {
  /** Folders, or single files, that the layer may import besides its own top folder. */
  readonly imports: readonly string[];
  /** Packages that the layer may import: a host or a driver, never a general-purpose library. */
  readonly packages?: readonly string[];
}

const SERVER = ['protocol', 'platform', 'wire/http', 'stores/store', 'bus/bus'];
const ADAPTER = [
  'bindings',
  'server/agent',
  'wire/http',
  'wire/request-body',
  'wire/slice-end',
  'protocol/clock',
  'protocol/errors',
  'platform',
];

/** The library. A file belongs to the row that is the longest prefix of its path. */
const LAYERS: Readonly<Record<string, Layer>> = {
  index: { imports: ['protocol'] },
  security: { imports: ['protocol'] },
  protocol: { imports: [] },
  platform: { imports: ['protocol'] },
  wire: { imports: ['protocol'] },
  compat: { imports: ['protocol', 'wire'] },
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
  client: { imports: ['protocol', 'platform', 'wire'] },
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
    imports: ['protocol', 'platform', 'wire', 'stores', 'bus', 'server', 'bindings', 'adapters', 'client', 'conversation'],
  },
};

/** The only places that may use Node; all other code runs on any platform. */
const NODE_ONLY = [
  'adapters/node',
  'platform/require-package',
  'client/node',
  'stores/sqlite',
  'stores/postgres',
  'bus/postgres',
  'bus/redis',
  'testing',
];

/** For each folder or file: what it may import of the others. A file belongs to the row that is the longest prefix of its path. */
type Rows = Readonly<Record<string, readonly string[]>>;

/** `server`: operations → run → executor, questions → log → store. */
const SERVER_ROWS: Rows = {
  index: ['create-agent', 'agent', 'call', 'options', 'executor'],
  advanced: ['call'],
  'create-agent': ['agent', 'check-agent-options', 'options', 'pipeline', 'operations', 'run', 'node', 'limits', 'log'],
  'check-agent-options': ['options'],
  pipeline: ['operations', 'call', 'options'],
  // The contracts of the runtime with hosts and users.
  agent: ['call', 'options'],
  options: ['call', 'executor'],
  call: ['limits/share-counter'],
  failure: [],
  operations: ['run', 'log', 'limits', 'node/lease', 'call', 'options'],
  run: ['executor', 'questions', 'log', 'limits', 'node/lease', 'agent', 'options', 'failure'],
  executor: ['questions/question', 'log', 'call', 'options', 'failure'],
  questions: ['executor/executor', 'executor/request-context', 'log/entries'],
  log: ['limits/share-counter', 'call', 'options', 'failure'],
  limits: ['call'],
  // Background work: it looks at the tasks that run, and only the lease is used by them.
  node: ['run/active-tasks', 'log', 'agent', 'options'],
  'node/lease': ['node/node-clock', 'node/store-heartbeat'],
};

/** Studio: `app` shows the panels, the panels share `state`, and all of them show content. */
const STUDIO_ROWS: Rows = {
  main: ['app', 'theme', 'state'],
  app: ['conversation', 'threads', 'log', 'card', 'connection', 'theme', 'state', 'content', 'ui'],
  conversation: ['connection', 'artifacts', 'state', 'content', 'ui'],
  log: ['artifacts', 'state', 'content', 'ui'],
  threads: ['state', 'content', 'ui'],
  card: ['content', 'ui'],
  connection: ['state', 'content', 'ui'],
  state: ['connection/switchable-fetch', 'content/visible-text', 'ui'],
  'connection/switchable-fetch': [],
  artifacts: ['content', 'ui'],
  content: ['ui'],
  theme: ['ui'],
  ui: [],
};

/** The packages of Studio; `react-markdown` has the largest code, and is loaded only for Markdown. */
const STUDIO_PACKAGES = [
  'react',
  'react-dom/client',
  '@assistant-ui/react',
  '@parley/a2a',
  '@parley/a2a/client',
  '@parley/a2a/conversation',
  '@parley/a2a/react',
  '@parley/a2a/assistant-ui',
  '@parley/a2a/protocol',
];

/** The demo: the agent and the site that shows it know nothing of each other's code, except the list of abilities. */
const ABILITY_TOOLS = ['ability', 'count-in', 'pause', 'rings', 'speak'];
const DEMO_ROWS: Rows = {
  main: ['start-demo', 'welcome', 'open-store', 'settings'],
  'start-demo': ['demo-agent', 'front-door', 'built-site'],
  'open-store': ['settings'],
  settings: [],
  // The site.
  'front-door': ['built-site', 'page', 'welcome'],
  'built-site': ['encoding'],
  encoding: [],
  page: ['abilities', 'ability', 'commands'],
  welcome: ['abilities', 'commands'],
  commands: [],
  // The agent.
  'demo-agent': ['abilities', 'ability'],
  abilities: ABILITY_TOOLS,
  'count-in': ['ability'],
  ability: [],
  speak: ['pause'],
  pause: [],
  rings: ['png'],
  png: [],
};

const library = readImports(new URL('../packages/a2a/src/', import.meta.url), {
  '#output-check': 'protocol/output-check/strict',
  '#exchange': 'client/node/default-exchange',
});
const { code, imports } = library;
const server = readImports(new URL('../packages/a2a/src/server/', import.meta.url));
const studio = readImports(new URL('../packages/studio/src/', import.meta.url));
const demo = readImports(new URL('../packages/demo/src/', import.meta.url));

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

describe.each([
  { name: 'server', rows: SERVER_ROWS, graph: server },
  { name: 'Studio', rows: STUDIO_ROWS, graph: studio },
  { name: 'the demo', rows: DEMO_ROWS, graph: demo },
])('inside $name', ({ rows, graph }) => {
  test('every file belongs to a row', () => {
    expect([...graph.code.keys()].filter((file) => placeOf(file, Object.keys(rows)) === undefined)).toEqual([]);
  });

  const between = graph.imports.filter(({ to }) => graph.code.has(to));

  test('a file imports only what its row allows', () => {
    expect(between.filter((one) => !isInRow(rows, one)).map(show)).toEqual([]);
  });

  test('a row allows only what is imported', () => {
    const allowed = Object.entries(rows).flatMap(([own, places]) => places.map((place) => ({ own, place })));
    const isUsed = ({ own, place }: { own: string; place: string }): boolean =>
      between.some(({ from, to }) => placeOf(from, Object.keys(rows)) === own && isInside(to, place));
    expect(allowed.filter((one) => !isUsed(one))).toEqual([]);
  });
});

test('every place in a row of the library exists', () => {
  const places = Object.entries(LAYERS).flatMap(([place, layer]) => [place, ...layer.imports]);
  expect([...places, ...NODE_ONLY].filter((place) => ![...code.keys()].some((file) => isInside(file, place)))).toEqual([]);
});

test('Studio imports only packages for browsers', () => {
  const others = studio.imports.filter(({ to, kind }) => kind === 'node' || (kind === 'package' && !STUDIO_PACKAGES.includes(to)));
  expect(others.map(show)).toEqual(['content/markdown → react-markdown', 'content/markdown → remark-gfm']);
});

test.each([
  ['the library', library],
  ['Studio', studio],
  ['the demo', demo],
])('no file of %s imports itself, directly or indirectly', (_name, graph) => {
  expect(findCycle(graph)).toEqual([]);
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

function isAllowed({ from, to, kind }: Import): boolean {
  const { imports: allowed = [], packages = [] } = rowOf(from) ?? {};
  if (kind === 'node') return true;
  if (kind === 'package') return packages.includes(to);
  return topFolder(from) === topFolder(to) || allowed.some((place) => isInside(to, place));
}

function rowOf(file: string): Layer | undefined {
  return LAYERS[placeOf(file, Object.keys(LAYERS)) ?? ''];
}

function topFolder(file: string): string {
  return file.replace(/\/.*/, '');
}

function isInRow(rows: Rows, { from, to }: Import): boolean {
  const own = placeOf(from, Object.keys(rows)) ?? '';
  return isInside(to, own) || (rows[own] ?? []).some((place) => isInside(to, place));
}
