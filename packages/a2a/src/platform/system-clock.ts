import type { Clock } from '../protocol/clock.js';

type Soon = (callback: () => void) => unknown;

/** `setImmediate` runs after the I/O of the current event-loop iteration; other hosts use the shortest timer. */
const soon: Soon = typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

// Timers use 32 bits: a longer delay would fire at once.
const LONGEST_MS = 2 ** 31 - 1;

/** Only timers of Node keep a process alive, and only they have `unref`. */
function letGo(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
}

/** The clock of the machine. Tests use a manual clock instead (`@parley/a2a/testing`). */
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
