import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toIsoTime } from './iso-time.js';

test('a time is written as Date.toISOString writes it', () => {
  const years = fc.integer({ min: Date.UTC(-1000, 0), max: Date.UTC(12_000, 0) });
  const near = fc.integer({ min: -2_000, max: 2_000 });
  const fractions = fc.double({ min: 0, max: 4e12, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.oneof(years, near, fractions), { minLength: 1 }), (times) => {
      for (const at of times) expect(toIsoTime(at)).toBe(new Date(at).toISOString());
    }),
  );
});

test('the first and the last millisecond of a second have three digits', () => {
  const second = Date.UTC(2026, 10, 19, 6, 1, 15);
  expect([0, 7, 42, 999, 1_000].map((ms) => toIsoTime(second + ms).slice(17))).toEqual([
    '15.000Z',
    '15.007Z',
    '15.042Z',
    '15.999Z',
    '16.000Z',
  ]);
});

test('a time that does not exist is refused', () => {
  expect(() => toIsoTime(Number.NaN)).toThrow(RangeError);
  expect(() => toIsoTime(9e15)).toThrow(RangeError);
});
