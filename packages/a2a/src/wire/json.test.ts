import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeJson } from './json.js';
import { decodeBody } from './request-body.js';
import { scanJson } from './scan-json.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inside = Object.values(value).map(valuesOf);
  const names = Array.isArray(value) ? 0 : inside.length;
  return inside.reduce((sum, count) => sum + count, 1 + names);
}

const measure = (text: string) => scanJson(text, Number.POSITIVE_INFINITY);

/** The characters that matter in a string, and a few others. All of Unicode would take fast-check seconds to prepare. */
const CHARACTER = fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', ' ', 'a', '\n', '\u2028', 'é', '😀', '\ud800');
const JSON_VALUE = fc.jsonValue({ maxDepth: 6, depthSize: 'medium', stringUnit: CHARACTER });

describe('the measure of a JSON text', () => {
  test('D58: the number of values and of levels is that of the parsed value, independent of strings and white space', () => {
    fc.assert(
      fc.property(JSON_VALUE, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        expect(measure(JSON.stringify(value, undefined, indent))).toEqual({ values: valuesOf(value), depth: depthOf(value) });
      }),
    );
  });

  test.each([
    ['""', 1],
    ['[ ]', 1],
    ['{\n}', 1],
    ['[[],{}]', 3],
    ['{"a":[1,2]}', 5],
    ['"[,:{"', 1],
    ['"\\"[["', 1],
    ['"\\\\"', 1],
    ['["\\\\","[["]', 3],
    ['["a\\\\\\"[[,"]', 2],
    [`["${'\\"'.repeat(40)},"]`, 2],
    [`["${'x'.repeat(40)}\\\\","${'x'.repeat(40)}\\",",1]`, 4],
    [`["${'x'.repeat(31)}\\",",1]`, 3],
    [`["${'x'.repeat(32)}\\\\\\",",1]`, 3],
  ])('D58: %j has %d values', (text, values) => {
    expect(valuesOf(JSON.parse(text))).toBe(values);
    expect(measure(text).values).toBe(values);
  });

  test('text that is not JSON is scanned once and terminates', () => {
    for (const text of ['', '"', '"\\', '\\"', ']]]', '}{', '"\\"'.repeat(1000), '\\'.repeat(1000), `"${'x'.repeat(100)}`]) {
      expect(measure(text).depth).toBeLessThanOrEqual(1);
    }
  });
});

test('a small text is always parsed; a large one must not be nested deeply', () => {
  const deep = (levels: number, more: string): string => `${'['.repeat(levels)}${more}${']'.repeat(levels)}`;
  expect(Array.isArray(decodeJson(deep(10_000, '')))).toBe(true);
  expect(Array.isArray(decodeJson(deep(1_000, `"${'x'.repeat(70_000)}"`)))).toBe(true);
  expect(() => decodeJson(deep(1_001, `"${'x'.repeat(70_000)}"`))).toThrow(expect.objectContaining({ reason: 'INVALID_REQUEST' }));
  expect(() => decodeJson('[')).toThrow(expect.objectContaining({ reason: 'PARSE_ERROR', message: 'Invalid JSON payload' }));
});

test('D58: a text with as many values as the limit is parsed, one more is refused before it is parsed', () => {
  const list = (items: number): string => `[${Array.from({ length: items }, () => '0').join(',')}`;
  expect(decodeBody(`${list(19)}]`, 20)).toHaveLength(19);
  expect(() => decodeBody(list(20), 20), 'not JSON, but this is not found').toThrow(
    expect.objectContaining({
      reason: 'CONTENT_TOO_LARGE',
      message: expect.stringMatching(/has 21 JSON values, the limit is 20 \(maxBodyValues\)/),
    }),
  );
});
