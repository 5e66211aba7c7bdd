import type { Clock } from '../protocol/clock.js';

type Soon = (callback: () => void) => unknown;

/** `setImmediate` runs after the I/O of the turn; hosts without it pay for the shortest timer. */
const soon: Soon = typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

/** The time of the machine. Tests turn a clock by hand instead (`@parley/a2a/testing`). */
export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  soon,
};
