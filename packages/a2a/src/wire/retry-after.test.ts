import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after.js';

const NOW = Date.UTC(2026, 10, 16, 3, 0, 0);

test.each([
  ['0', 0],
  ['5', 5_000],
  [' 120 ', 120_000],
  ['1.5', 1_500],
  ['31536000', 31_536_000_000],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Mon, 16 Nov 2026 03:00:05 GMT', 5_000],
  ['Monday, 16-Nov-26 03:00:05 GMT', 5_000],
  ['Mon Nov 16 03:00:05 2026', 5_000],
  ['Tue Dec  1 03:00:00 2026', 15 * 86_400_000],
  ['Mon, 16 Nov 2026 02:00:00 GMT', 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['Tue, 16 Nov 2027 03:00:00 GMT', 365 * 86_400_000],
])('B8: Retry-After %j is understood', (text, ms) => {
  expect(parseRetryAfter(text, NOW)).toBe(ms);
});

test.each([
  undefined,
  null,
  '',
  '-5',
  '+5',
  '1e3',
  '5 seconds',
  'soon',
  'foo 1',
  'NaN',
  'Infinity',
  '2026-11-16T03:00:05Z',
  'Mon, 16 Nov 2026 03:00:05',
  'Mon, 16 Foo 2026 03:00:05 GMT',
  'Mon, 31 Feb 2026 03:00:05 GMT',
  'Mon, 16 Nov 2026 25:00:05 GMT',
  'Mon, 16 Nov 2026 03:61:05 GMT',
  `Mon, 16 Nov 2026 03:00:05 GMT${' x'.repeat(10_000)}`,
])('B8: Retry-After %j is ignored', (text) => {
  expect(parseRetryAfter(text, NOW)).toBeUndefined();
});
