import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../protocol/clock.js';

export interface HandClock extends Clock {
  /**
   * Moves time on and runs what falls due, in order: `soon` callbacks first, then each timer at its own time. Whatever a callback
   * started is given a turn of the event loop before the next one runs.
   */
  tick(ms?: number): Promise<void>;
  /** Timers and `soon` callbacks that have not run yet, but for those in the background: 0 when nothing leaks. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
  readonly background: boolean;
}

/** A clock that stands still until it is turned by hand. */
export function handClock(start = Date.UTC(2026, 0, 1)): HandClock {
  let now = start;
  let soon: (() => void)[] = [];
  const timers = new Set<Timer>();

  const runSoon = async (): Promise<void> => {
    await nextTurn();
    while (soon.length > 0) {
      const due = soon;
      soon = [];
      for (const callback of due) callback();
      await nextTurn();
    }
  };

  return {
    now: () => now,
    after(delayMs, callback, { background = false } = {}) {
      const timer = { at: now + Math.max(0, delayMs), callback, background };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    soon(callback) {
      soon.push(callback);
    },
    async tick(ms = 0) {
      const end = now + ms;
      await runSoon();
      for (let timer = nextDue(timers, end); timer !== undefined; timer = nextDue(timers, end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
        await runSoon();
      }
      now = Math.max(now, end);
    },
    get pending() {
      return [...timers].filter(({ background }) => !background).length + soon.length;
    },
  };
}

/** The earliest; of those at one time, the one set first. */
function nextDue(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers) {
    if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
  }
  return next;
}
