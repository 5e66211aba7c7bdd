import type { Clock } from '../protocol/clock.js';

type Soon = (callback: () => void) => unknown;

/** `setImmediate` runs after the I/O of the turn; hosts without it pay for the shortest timer. */
const soon: Soon = typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

// Timers count in 32 bits: a longer one would fire at once.
const LONGEST_MS = 2 ** 31 - 1;

/** Only Node's timers hold a process, and only they can let go of it. */
function letGo(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
}

/** The time of the machine. Tests turn a clock by hand instead (`@parley/a2a/testing`). */
export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, callback, options) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (leftMs: number): void => {
      if (leftMs > LONGEST_MS) timer = setTimeout(() => wait(leftMs - LONGEST_MS), LONGEST_MS);
      else timer = setTimeout(callback, leftMs);
      if (options?.background) letGo(timer);
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
  soon,
};
