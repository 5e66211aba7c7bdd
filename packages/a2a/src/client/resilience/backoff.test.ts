import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/seeded-random.js';
import { backoffForAttempt, resolveActivation } from './activation-policy.js';
import { BACKOFFS, backoffDelay } from './backoff.js';

const never = (): number => {
  throw new Error('random must not be called');
};

test('A1: the defaults for an agent that may be asleep are 100 ms, doubling to 2 s, three retries and 5 s', () => {
  expect(resolveActivation()).toEqual({
    maxColdStartMs: 5_000,
    maxRetries: 3,
    backoff: { initialDelayMs: 100, multiplier: 2, maxDelayMs: 2_000, jitter: true },
  });
});

test('A1: invalid options are refused with their value', () => {
  expect(() => resolveActivation({ maxColdStartMs: 0 })).toThrow('activation.maxColdStartMs must be a number of at least 1, got 0');
  expect(() => resolveActivation({ maxRetries: 1.5 })).toThrow('activation.maxRetries must be a whole number of at least 0, got 1.5');
  expect(() => resolveActivation({ initialDelayMs: Number.NaN })).toThrow('activation.initialDelayMs');
  expect(() => resolveActivation({ maxDelayMs: -1 })).toThrow('activation.maxDelayMs');
  expect(() => resolveActivation({ multiplier: -1 })).toThrow('activation.multiplier');
});

test('A2: activation takes the multiplier of its delays like retry and reconnect', () => {
  const options = { jitter: false, multiplier: 3, maxDelayMs: 1_000 };
  expect([0, 1, 2, 3].map((attempt) => backoffForAttempt(attempt, options, never))).toEqual([100, 300, 900, 1_000]);
});

test('A2: delays double from the first, are capped, and stay capped after any number of attempts', () => {
  const exact = { jitter: false };
  expect([0, 1, 2, 3, 4].map((attempt) => backoffForAttempt(attempt, exact, never))).toEqual([100, 200, 400, 800, 1600]);
  expect([5, 6, 100, 5_000, Number.MAX_SAFE_INTEGER].map((attempt) => backoffForAttempt(attempt, exact, never))).toEqual(
    Array(5).fill(2_000),
  );
  expect(backoffForAttempt(9_999, { jitter: false, initialDelayMs: 0 }, never)).toBe(0);
  expect(backoffForAttempt(-1, exact, never)).toBe(100);
});

test('A2: the cap is applied before the jitter', () => {
  expect(backoffForAttempt(20, {}, () => 0)).toBe(1_000);
});

test('A3: with jitter a delay is between half and all of it, and differs between clients', () => {
  const random = seededRandom(7);
  const delays = Array.from({ length: 500 }, () => backoffForAttempt(0, {}, random));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...delays)).toBeLessThanOrEqual(100);
  expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(40);
  expect(backoffForAttempt(3, {}, seededRandom(1))).toBe(backoffForAttempt(3, {}, seededRandom(1)));
  expect(backoffForAttempt(3, {}, seededRandom(1))).not.toBe(backoffForAttempt(3, {}, seededRandom(2)));
});

test('C4: one function, three presets: constant reconnects, and exact delays without jitter', () => {
  const delays = (preset: keyof typeof BACKOFFS) =>
    [0, 1, 2, 10].map((n) => backoffDelay({ ...BACKOFFS[preset], jitter: false }, n, never));
  expect(delays('reconnect')).toEqual([500, 500, 500, 500]);
  expect(delays('retry')).toEqual([1_000, 2_000, 4_000, 30_000]);
  expect(delays('activation')).toEqual([100, 200, 400, 2_000]);
  expect(Object.values(BACKOFFS).map(({ jitter }) => jitter)).toEqual([false, true, true]);
});
