import { expect, test } from 'vitest';
import { expressionsIn, findExpressions, slowText } from './regular-expressions.js';

const root = new URL('../', import.meta.url);

/** Expressions that are built from values of other files or at run time. */
const BUILT = {
  // The patterns of the model, which the generated validators contain too.
  'packages/a2a/src/protocol/all-violations.ts': [/^\d{4}-\d\d$/],
  'packages/a2a/src/testing/store-contract/commit.ts': [/\b3\b/],
  'packages/studio/src/content/split-blocks.ts': [/^ {0,3}`{3,}[ \t]*\r?$/m, /^ {0,3}~{3,}[ \t]*\r?$/m],
  'packages/studio/src/content/visible-text.ts': [/[\u{200b}-\u{200f}\u{e0000}-\u{e007f}]/gu],
};

for (const folder of ['packages/a2a/src', 'packages/demo/src', 'packages/studio/src']) {
  test(`F64: no regular expression in ${folder} takes more than 50 ms for 100 kB of text`, () => {
    const found = findExpressions(root, folder, BUILT);
    expect(found.length).toBeGreaterThan(5);
    const places = new Map(found.map(({ at, expression }) => [String(expression), { at, expression }]));
    const slow = [...places.values()].flatMap(({ at, expression }) => {
      const text = slowText(expression);
      return text === undefined ? [] : [`${at} ${expression} with ${text}`];
    });
    expect(slow).toEqual([]);
  }, 60_000);
}

test('F64: the check finds literals and constructed expressions, and those that take quadratic or exponential time', () => {
  const text = [
    "const TIME = '\\\\d+';",
    'const one = value.replace(/\\/+$/, "");',
    `const two = new RegExp(\`^(\${TIME})*x\`, 'i');`,
    'const three = new RegExp("^a|b$");',
  ].join('\n');
  const found = expressionsIn('planted.ts', text);
  expect(found.map(({ at, expression }) => [at, String(expression)])).toEqual([
    ['planted.ts:2', '/\\/+$/'],
    ['planted.ts:3', '/^(\\d+)*x/i'],
    ['planted.ts:4', '/^a|b$/'],
  ]);
  expect(found.map(({ expression }) => slowText(expression) !== undefined)).toEqual([true, true, false]);
  expect(() => expressionsIn('planted.ts', 'new RegExp(unknown)')).toThrow('the test cannot read new RegExp(unknown)');
});

test.each([
  'f(/a+$/)',
  'if (b) /a+$/.test(c);',
  'const a = /a+$/;',
  '[b, /a+$/]',
  '!/a+$/.test(b)',
  '({ b: /a+$/ })',
  'b = () =>\n/a+$/',
  '<b>{/a+$/}</b>',
])('F64: the check finds the only expression of a file: %j', (text) => {
  expect(expressionsIn('planted.tsx', text).map(({ expression }) => String(expression))).toEqual(['/a+$/']);
});
