// `npm run behaviours` writes the test files of each behavior into docs/behaviours.md. `--check` writes nothing and fails when the page and
// the tests disagree. People write the sentences on the page; this program never changes them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from './setup.mjs';

const PAGE = 'docs/behaviours.md';
const TESTS = ['*.test.ts', '*.test.tsx', '*.spec.ts', '*.spec.tsx'];

/** `G27, G28: ` at the start of a title. */
const IDS = /^([A-Z]\d+(?:, ?[A-Z]\d+)*):/;
const ROW = /^\| ([A-Z]\d+) \|([^|]*)\|.*\|$/;
const FAMILY = /^## ([A-Z]):/;
const COUNT = /\*\*\d+ behaviors\*\*/;

/** A row with more files than `MOST` names the first `SHOWN` only, so that a further test rarely changes the page. */
const MOST = 6;
const SHOWN = 5;

/** @typedef {Map<string, Map<string, number>>} Tests the number of titles that begin with an id, by id and by path of the test file */
/** @typedef {{ path: string, text: string }} Source */

/**
 * The ids of all titles in test files. A title may come from a table or be built with `${…}`: every string that begins with ids counts.
 * @param {Iterable<Source>} sources
 * @returns {Tests}
 */
export function findTests(sources) {
  /** @type {Tests} */
  const tests = new Map();
  for (const { path, text } of sources) {
    for (const id of idsOf(path, text)) {
      const files = tests.get(id) ?? new Map();
      files.set(path, (files.get(path) ?? 0) + 1);
      tests.set(id, files);
    }
  }
  return tests;
}

/**
 * @param {string} path
 * @param {string} text
 */
function idsOf(path, text) {
  /** @type {string[]} */
  const ids = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) ids.push(...(IDS.exec(node.text)?.[1]?.split(/, ?/) ?? []));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return ids;
}

/**
 * The page with a row for each id and the test files of each row. Sentences and all other text stay.
 * @param {string} page
 * @param {Tests} tests
 */
export function updatePage(page, tests) {
  const lines = page.split('\n');
  const known = new Set(rowsOf(page).map(({ id }) => id));
  for (const id of tests.keys()) if (!known.has(id)) insertRow(lines, id);
  const written = sortTables(lines).map((line) => {
    const [, id = '', sentence = ''] = ROW.exec(line) ?? [];
    return id === '' ? line : `| ${id} | ${sentence.trim()} | ${linksTo(tests.get(id) ?? new Map())} |`;
  });
  return written.join('\n').replace(COUNT, `**${written.filter((line) => ROW.test(line)).length} behaviors**`);
}

/**
 * One line for each way in which the page and the tests disagree.
 * @param {string} page
 * @param {Tests} tests
 */
export function findProblems(page, tests) {
  const rows = rowsOf(page);
  const ids = rows.map(({ id }) => id);
  const problems = [
    ...[...tests]
      .filter(([id]) => !ids.includes(id))
      .map(([id, files]) => `${id} in ${[...files.keys()][0]} has no row. ${howToAdd(page, id)}`),
    ...ids.filter((id) => !tests.has(id)).map((id) => `${id} has no test. Add a test whose title begins with "${id}:", or delete the row.`),
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} has two rows. Delete one of them.`),
    ...rows.filter(({ sentence }) => sentence === '').map(({ id }) => `${id} has no sentence. State what Parley guarantees.`),
  ];
  // A page with other problems is not up to date either: they say what to do.
  if (problems.length === 0 && page !== updatePage(page, tests)) problems.push('The page is not up to date. Run "npm run behaviours".');
  return problems.map((problem) => `${PAGE}: ${problem}`);
}

/**
 * @param {string} page
 * @param {string} id
 */
function howToAdd(page, id) {
  if (page.split('\n').some((line) => FAMILY.exec(line)?.[1] === id[0])) return 'Run "npm run behaviours", then write its sentence.';
  return `Add a section "## ${id[0]}: …" for its family first, or correct the title.`;
}

/** @param {string} page */
function rowsOf(page) {
  return page.split('\n').flatMap((line) => {
    const [, id, sentence = ''] = ROW.exec(line) ?? [];
    return id === undefined ? [] : [{ id, sentence: sentence.trim() }];
  });
}

/**
 * Adds an empty row to the last table of the id's family. An id of a family without a section is left out: it needs a heading first.
 * @param {string[]} lines
 * @param {string} id
 */
function insertRow(lines, id) {
  const start = lines.findIndex((line) => FAMILY.exec(line)?.[1] === id[0]);
  if (start < 0) return;
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const end = next < 0 ? lines.length : next;
  const last = lines.findLastIndex((line, index) => index > start && index < end && line.startsWith('|'));
  if (last < 0) lines.splice(end, 0, '| id | behavior | tests |', '|---|---|---|', `| ${id} |  |  |`, '');
  else lines.splice(last + 1, 0, `| ${id} |  |  |`);
}

/**
 * Sorts neighboring rows by number. A row stays in its table, so that people can group rows by topic.
 * @param {string[]} lines
 */
function sortTables(lines) {
  /** @type {string[]} */
  const sorted = [];
  /** @type {string[]} */
  let rows = [];
  const flush = () => {
    sorted.push(...rows.sort((a, b) => numberOf(a) - numberOf(b)));
    rows = [];
  };
  for (const line of lines) {
    if (ROW.test(line)) rows.push(line);
    else {
      flush();
      sorted.push(line);
    }
  }
  flush();
  return sorted;
}

/** @param {string} row */
function numberOf(row) {
  return Number(ROW.exec(row)?.[1]?.slice(1));
}

/**
 * Links to the files with the most titles of an id, sorted by path.
 * @param {Map<string, number>} files
 */
function linksTo(files) {
  const byCount = [...files].sort(([a, m], [b, n]) => n - m || compare(a, b)).map(([path]) => path);
  const shown = byCount.slice(0, byCount.length > MOST ? SHOWN : MOST).sort(compare);
  const links = shown.map(
    (path) => `[${posix.basename(path).replace(/\.(?:test|spec)\.tsx?$/, '')}](${posix.relative(posix.dirname(PAGE), path)})`,
  );
  const more = byCount.length - shown.length;
  return `${links.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * By code unit: the order must not depend on the locale of a machine.
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readTests() {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', ...TESTS], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = list.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
  return findTests(paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const tests = readTests();
  const file = join(root, PAGE);
  if (!process.argv.includes('--check')) writeFileSync(file, updatePage(readFileSync(file, 'utf8'), tests));
  const problems = findProblems(readFileSync(file, 'utf8'), tests);
  if (problems.length > 0) console.error(problems.join('\n'));
  process.exit(problems.length > 0 ? 1 : 0);
}
