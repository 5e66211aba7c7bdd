import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../src/platform/system-clock.js';

const DAY_MS = 86_400_000;

describe('D21: the system clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  // 2^31 - 1 ms are 24.8 days. A plain timer with a longer delay fires at once.
  test.each([0, 1, 2 ** 31 - 1, 2 ** 31, 40 * DAY_MS, 365 * DAY_MS])('D21: a timer of %i ms fires exactly then', async (delayMs) => {
    const ring = vi.fn();
    systemClock.after(delayMs, ring);
    await vi.advanceTimersByTimeAsync(Math.max(0, delayMs - 1));
    expect(ring).toHaveBeenCalledTimes(delayMs === 0 ? 1 : 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(ring).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([0, 10, 30])('D21: a timer of forty days can be canceled after %i days', async (days) => {
    const ring = vi.fn();
    const takeBack = systemClock.after(40 * DAY_MS, ring);
    await vi.advanceTimersByTimeAsync(days * DAY_MS);
    takeBack();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(100 * DAY_MS);
    expect(ring).not.toHaveBeenCalled();
  });
});
