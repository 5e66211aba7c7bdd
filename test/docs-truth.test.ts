// Compares the documents with the library: entry points, required packages, defaults, and missing features.
import { readdirSync, readFileSync } from 'node:fs';
import { createAgent, memoryStore } from '@parley/a2a/server';
import { expect, test } from 'vitest';
import { resolveOptions } from '../packages/a2a/src/server/options.js';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const { exports, peerDependencies } = JSON.parse(read('packages/a2a/package.json'));
const ENTRIES = Object.keys(exports).map((entry) => entry.slice(1));
const GUIDES = readdirSync(new URL('docs/guides/', root)).map((name) => `docs/guides/${name}`);
const DOCUMENTS = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'packages/a2a/README.md', 'docs/life-of-a-request.md', ...GUIDES];

interface Row {
  readonly head: readonly string[];
  readonly cells: readonly string[];
}

/** All rows of all tables of a document, each with its column headings. */
function rowsOf(text: string): readonly Row[] {
  let head: readonly string[] = [];
  return text.split('\n').flatMap((line, index, lines) => {
    if (!line.startsWith('|')) return [];
    const cells = line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    if (lines[index + 1]?.startsWith('|---')) head = cells;
    return line.startsWith('|---') || lines[index + 1]?.startsWith('|---') ? [] : [{ head, cells }];
  });
}

/** The texts in backticks. */
const quoted = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The table of entry points, each with its description. `/hono` after a full name means an entry point of the same package. */
function entryTable(path: string): ReadonlyMap<string, string> {
  const rows = rowsOf(read(path)).filter(({ cells }) => cells[0]?.startsWith('`@parley/a2a'));
  return new Map(rows.flatMap(({ cells: [names, what = ''] }) => quoted(names).map((name) => [name.replace('@parley/a2a', ''), what])));
}

test.each(['README.md', 'packages/a2a/README.md'])('F26: %s lists every entry point and no other', (path) => {
  expect([...entryTable(path).keys()].sort()).toEqual([...ENTRIES].sort());
});

test.each(['README.md', 'packages/a2a/README.md'])('F26: %s names the packages that an entry point needs', (path) => {
  const said = [...entryTable(path).values()].join('\n');
  for (const peer of Object.keys(peerDependencies)) {
    const isNamed = said.includes(`\`${peer}\``) || (['express', 'hono'].includes(peer) && entryTable(path).has(`/${peer}`));
    expect(isNamed, peer).toBe(true);
  }
});

test('F26: the package README names every guide', () => {
  for (const guide of GUIDES) expect(read('packages/a2a/README.md')).toContain(guide);
});

test.each(DOCUMENTS)('F26: %s announces no feature as planned that already exists', (path) => {
  const text = read(path);
  const coming = rowsOf(text).map(({ head, cells }) => cells[head.indexOf('coming')] ?? '');
  const [, missing = ''] = /^## Not yet\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? [];
  const said = [...coming, missing].join('\n').toLowerCase();
  const there = [...ENTRIES.map((entry) => entry.slice(1)).filter((name) => name !== ''), 'studio', 'json-rpc', 'http+json'];
  expect(there.filter((name) => new RegExp(`(?<!\\w)${name.replace('+', '\\+')}(?!\\w)`).test(said))).toEqual([]);
  expect(text).not.toMatch(/no store that several processes|no React|React is coming|Studio is coming/i);
});

/** A number as the guides write it; undefined if there is no limit. */
function toDefault(text: string): number | undefined {
  if (/^(none|never)\b/.test(text)) return undefined;
  if (text.startsWith('one hour')) return 3_600_000;
  if (text.startsWith('ten minutes')) return 600_000;
  const [, digits, unit] = /^(\d{1,3}(?:,\d{3})*|\d+)( Mi?B)?/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`the text is not a number: ${text}`);
  return Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : 1024 * 1024);
}

/** The defaults that a guide gives for the names that `isAsked` accepts. */
function defaultsIn(path: string, isAsked: (name: string) => boolean): readonly (readonly [string, number | undefined])[] {
  return rowsOf(read(path)).flatMap(({ head, cells }) => {
    const column = head.indexOf('default');
    const names = quoted(cells[column - 1]).filter(isAsked);
    if (column < 1 || names.length === 0) return [];
    const values = names.length > 1 ? (cells[column] ?? '').split(', ') : [cells[column] ?? ''];
    return names.map((name, index) => [name, toDefault(values[index] ?? '')] as const);
  });
}

const settings = new Map(Object.entries(resolveOptions({ name: 'Defaults', execute: async () => 'done' })));
const LIMITS = [...settings].filter(([, value]) => typeof value === 'number').map(([name]) => name);
const OPEN = ['maxBlockingMs', 'inputTimeoutMs', 'deleteFinalAfterMs'];

test.each(GUIDES)('F26: the defaults of createAgent in %s match the code', (path) => {
  for (const [name, value] of defaultsIn(path, (name) => LIMITS.includes(name) || OPEN.includes(name))) {
    expect(value, name).toBe(settings.get(name));
  }
});

test('F26: a table of a guide contains every limit of createAgent', () => {
  const told = GUIDES.flatMap((path) => defaultsIn(path, (name) => LIMITS.includes(name)).map(([name]) => name));
  expect(LIMITS.filter((name) => !told.includes(name))).toEqual([]);
  expect(LIMITS.length).toBeGreaterThan(10);
});

test('F26: the defaults of postgres in the guide match the code', () => {
  const [, declared = ''] = /const \{ (schema = [^}]*) \} = options;/.exec(read('packages/a2a/src/stores/postgres/index.ts')) ?? [];
  const inCode = [...declared.matchAll(/(\w+) = ([\d_]+)/g)].map(([, name = '', value = '']) => [name, Number(value.replaceAll('_', ''))]);
  const names = new Map(inCode.map(([name, value]) => [String(name), value]));
  const told = new Map(defaultsIn('docs/guides/many-nodes.md', (name) => names.has(name)));
  expect(told).toEqual(names);
  expect(names.size).toBeGreaterThan(3);
});

test('F26: a lease is renewed as often as the guides say', () => {
  const [, beats = ''] = /const BEATS_PER_LEASE = (\d+);/.exec(read('packages/a2a/src/server/node/lease.ts')) ?? [];
  const words = new Map([['5', { fraction: 'fifth', times: 'five' }]]);
  expect(read('docs/guides/writing-an-agent.md')).toContain(`renewed every ${words.get(beats)?.fraction} of it`);
  expect(read('docs/guides/many-nodes.md')).toContain(`it renews its lease ${words.get(beats)?.times} times in that time`);
});

test('F26: memory accepts every option that the guides name', async () => {
  const names = rowsOf(read('docs/guides/writing-an-agent.md')).filter(({ head }) => head[0] === 'option of `memoryStore`');
  const options = Object.fromEntries(names.flatMap(({ cells }) => quoted(cells[0])).map((name) => [name, 10]));
  expect(Object.keys(options)).toEqual(['maxTasks', 'maxBytes', 'maxBytesPerOwner', 'replayTasks', 'replayBytes']);
  await createAgent({ name: 'Bounded', store: memoryStore(options), execute: async () => 'done' }).close();
});
