import { describe, expect, test } from 'vitest';
import { findProblems, findTests, updatePage } from '../scripts/behaviours.mjs';

const PATH = 'packages/a2a/test/cancel.test.ts';
const HEAD = '| id | behavior | tests |\n|---|---|---|';

/** The ids in a test file with this text. */
const idsIn = (text: string, path = PATH) => [...findTests([{ path, text }]).keys()];

/** One file per path, each with a test for every id. */
const testsOf = (files: Readonly<Record<string, readonly string[]>>) =>
  findTests(Object.entries(files).map(([path, ids]) => ({ path, text: ids.map((id) => `test('${id}: works', () => {});`).join('\n') })));

describe('ids in titles', () => {
  test.each([
    ['a test', "test('D1: it works', () => {})", ['D1']],
    ['a group of tests', 'describe("D2: cancel", () => {})', ['D2']],
    ['it()', "it('U3: renders', () => {})", ['U3']],
    ['a modifier', "test.skipIf(isSlow)('B4: waits', () => {})", ['B4']],
    ['several ids', "test('G27, G28: counts once', () => {})", ['G27', 'G28']],
    ['several ids without spaces', "test('G27,G28: counts once', () => {})", ['G27', 'G28']],
    ['test.each', "test.each([1, 2])('D5: waits %i ms', () => {})", ['D5']],
    ['it.each over several lines', "it.each([\n  ['a', 1],\n] as const)(\n  'D6: %s',\n  () => {},\n)", ['D6']],
    ['test.each with a tagged table', `test.each\`a\n\${1}\n\`('D7: $a', () => {})`, ['D7']],
    ['a template', 'test(`D8: works`, () => {})', ['D8']],
    ['a template with a value', `test(\`D9: works over \${name}\`, () => {})`, ['D9']],
    ['a template that starts with ids', `test(\`A10, B11: \${name}\`, () => {})`, ['A10', 'B11']],
    ['the names of a table', "const ROWS = { P47: 'P47: lists are sorted' };", ['P47']],
    ['the rows of test.each', "test.each([['R102: an unknown task', 1]])('%s', () => {})", ['R102']],
  ])('%s', (_name, text, ids) => {
    expect(idsIn(text)).toEqual(ids);
  });

  test('a component test may contain JSX', () => {
    expect(idsIn("test('U1: renders', () => render(<p title='D1'>it’s D2: not a title</p>))", 'page.test.tsx')).toEqual(['U1']);
  });

  test('other text is not an id', () => {
    const text = `// D1: a comment
      const header = 'A2A-Version: 1.0';
      const id = 'D2';
      expect('see D3: there').toMatch(/'D4: x'/);
      test("sample: test('D5: inside a string')", () => {});`;
    expect(idsIn(text)).toEqual([]);
  });

  test('the titles of each id are counted per file', () => {
    const tests = testsOf({ 'a.test.ts': ['D1', 'D1', 'D2'], 'b.test.ts': ['D1'] });
    expect([...(tests.get('D1') ?? [])]).toEqual([
      ['a.test.ts', 2],
      ['b.test.ts', 1],
    ]);
  });
});

describe('the page', () => {
  const page = `# Behaviors\n\n**0 behaviors**\n\n## D: Design\n\n${HEAD}\n| D10 | Ten. | old |\n| D2 | Two. |  |\n\n## G: Calls\n\nText.\n`;

  test('rows are sorted by number, keep their sentences and get their tests', () => {
    const tests = testsOf({ 'test/a.test.ts': ['D2', 'D10'], 'packages/b.test.tsx': ['D10'] });
    expect(updatePage(page, tests)).toBe(
      `# Behaviors\n\n**2 behaviors**\n\n## D: Design\n\n${HEAD}\n` +
        '| D2 | Two. | [a](../test/a.test.ts) |\n' +
        '| D10 | Ten. | [b](../packages/b.test.tsx), [a](../test/a.test.ts) |\n' +
        '\n## G: Calls\n\nText.\n',
    );
  });

  test('a new id gets a row without a sentence in the last table of its family', () => {
    const updated = updatePage(page, testsOf({ 'test/a.test.ts': ['D2', 'D3', 'D10', 'G1'] }));
    expect(updated).toContain('| D2 | Two. | [a](../test/a.test.ts) |\n| D3 |  | [a](../test/a.test.ts) |\n| D10 | Ten.');
    expect(updated).toContain(`## G: Calls\n\nText.\n\n${HEAD}\n| G1 |  | [a](../test/a.test.ts) |\n`);
    expect(updated).toContain('**4 behaviors**');
  });

  test('a row with seven files names the five with the most titles', () => {
    const files = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [`test/${name}.test.ts`, ['D2']]));
    const tests = testsOf({ ...files, 'test/g.test.ts': ['D2', 'D2'] });
    const names = /\| D2 \|.*/.exec(updatePage(page, tests))?.[0].replaceAll(/\(.*?\)/g, '');
    expect(names).toBe('| D2 | Two. | [a], [b], [c], [d], [g] and 2 more |');
  });

  test('writing a page twice changes nothing', () => {
    const tests = testsOf({ 'test/a.test.ts': ['D2', 'D10', 'D11', 'G1'] });
    const once = updatePage(page, tests);
    expect(updatePage(once, tests)).toBe(once);
  });
});

describe('what the check reports', () => {
  const tests = testsOf({ 'test/a.test.ts': ['D1', 'D2'] });
  const right = updatePage(`## D: Design\n\n${HEAD}\n| D1 | One. |  |\n| D2 | Two. |  |\n`, tests);

  test('nothing when page and tests agree', () => {
    expect(findProblems(right, tests)).toEqual([]);
  });

  test.each([
    [
      'an id without a row',
      right,
      testsOf({ 'test/a.test.ts': ['D1', 'D2', 'D3'] }),
      'D3 in test/a.test.ts has no row. Run "npm run behaviours", then write its sentence.',
    ],
    [
      'an id of an unknown family',
      right,
      testsOf({ 'test/a.test.ts': ['D1', 'D2', 'X1'] }),
      'X1 in test/a.test.ts has no row. Add a section "## X: …" for its family first, or correct the title.',
    ],
    [
      'a row without a test',
      right,
      testsOf({ 'test/a.test.ts': ['D1'] }),
      'D2 has no test. Add a test whose title begins with "D2:", or delete the row.',
    ],
    ['a row without a sentence', right.replace(' Two. ', '  '), tests, 'D2 has no sentence. State what Parley guarantees.'],
    ['two rows for one id', right.replace('| D2 |', '| D2 | Again. |  |\n| D2 |'), tests, 'D2 has two rows. Delete one of them.'],
    [
      'a page that is not up to date',
      right,
      testsOf({ 'test/b.test.ts': ['D1', 'D2'] }),
      'The page is not up to date. Run "npm run behaviours".',
    ],
  ])('%s', (_name, page, found, problem) => {
    expect(findProblems(page, found)).toEqual([`docs/behaviours.md: ${problem}`]);
  });
});
