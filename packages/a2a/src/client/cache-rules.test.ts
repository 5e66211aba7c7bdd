import { expect, test } from 'vitest';
import { cacheRules } from './cache-rules.js';

const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';

test.each([
  [{}, undefined, true],
  [{ 'cache-control': 'public, max-age=300' }, 300_000, true],
  [{ 'cache-control': 'MAX-AGE="60"' }, 60_000, true],
  [{ 'cache-control': 'max-age=300', age: '100' }, 200_000, true],
  [{ 'cache-control': 'max-age=300', age: '400' }, 0, true],
  [{ 'cache-control': 'max-age=soon' }, undefined, true],
  [{ 'cache-control': 'no-cache, max-age=300' }, 0, true],
  [{ 'cache-control': 'private, no-store' }, 0, false],
  [{ expires: 'Thu, 01 Jan 2026 00:01:00 GMT', date: DATE }, 60_000, true],
  [{ expires: '0', date: DATE }, 0, true],
  [{ expires: 'never', date: DATE }, 0, true],
  [{ 'cache-control': 'max-age=5', expires: 'Thu, 01 Jan 2026 00:01:00 GMT', date: DATE }, 5_000, true],
] as const)('%j may be used for %s ms', (headers: Readonly<Record<string, string>>, maxAgeMs, store) => {
  expect(cacheRules((name) => headers[name])).toEqual({ maxAgeMs, store });
});
