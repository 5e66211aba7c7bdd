import { expect, test } from 'vitest';
import { countIn } from './count-in.js';

test('the number after the word is limited, and defaults to the usual one', () => {
  const bounds = { usual: 10, most: 50 };
  expect(['large 7', 'large 7 MB', 'LARGE   50', '/large 51', 'large 1e9'].map((text) => countIn(text, bounds))).toEqual([7, 7, 50, 50, 1]);
  for (const text of ['large', 'large -3', 'large 0', 'large x', 'large NaN', '']) expect(countIn(text, bounds), text).toBe(10);
  expect(countIn(`large ${'9'.repeat(400)}`, bounds)).toBe(50);
});
