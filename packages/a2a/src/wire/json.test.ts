import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeJson, isDeeper } from './json.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The characters that matter in a string, and a few others. All of Unicode would take fast-check seconds to prepare. */
const CHARACTER = fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', 'a', '\n', '\u2028', 'é', '😀', '\ud800');

test('the depth of a text is the depth of its value, independent of its strings', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, depthSize: 'medium', stringUnit: CHARACTER }), (value) => {
      const depth = depthOf(value);
      const text = JSON.stringify(value);
      expect([isDeeper(text, depth), depth > 0 && isDeeper(text, depth - 1)]).toEqual([false, depth > 0]);
    }),
  );
  for (const text of ['"[[["', '"\\"[["', '"\\\\"', '["\\\\","[["]', '["a\\\\\\"[["]']) expect(isDeeper(text, 1), text).toBe(false);
});

test('text that is not JSON is scanned once and terminates', () => {
  for (const text of ['"', '"\\', '\\"', ']]]', '}{', '"\\"'.repeat(1000), '\\'.repeat(1000)]) expect(isDeeper(text, 5)).toBe(false);
});

test('a small text is always parsed; a large one must not be nested deeply', () => {
  const deep = (levels: number, more: string): string => `${'['.repeat(levels)}${more}${']'.repeat(levels)}`;
  expect(Array.isArray(decodeJson(deep(10_000, '')))).toBe(true);
  expect(Array.isArray(decodeJson(deep(1_000, `"${'x'.repeat(70_000)}"`)))).toBe(true);
  expect(() => decodeJson(deep(1_001, `"${'x'.repeat(70_000)}"`))).toThrow(expect.objectContaining({ reason: 'INVALID_REQUEST' }));
  expect(() => decodeJson('[')).toThrow(expect.objectContaining({ reason: 'PARSE_ERROR', message: 'Invalid JSON payload' }));
});
