import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../protocol/clock.js';

/** A clock that a test advances with `tick`. */
export interface ManualClock extends Clock {
  /**
   * Advances time and runs due callbacks in order: `soon` callbacks first, then each timer at its own time. Between two callbacks, pending
   * promises and I/O get an event-loop iteration.
   */
  tick(ms?: number): Promise<void>;
  /** The number of timers and `soon` callbacks that have not run, without background timers. 0 means that nothing leaks. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
  readonly background: boolean;
}

/**
 * Creates a clock that stands still until `tick` advances it, so that a test of timeouts does not wait.
 *
 * @example
 * ```ts
 * import { createClient } from '@parley/a2a/client';
 * import { createAgent } from '@parley/a2a/server';
 * import { createTestFetch, manualClock } from '@parley/a2a/testing';
 *
 * const clock = manualClock();
 * const agent = createAgent({ name: 'Slow', clock, maxRunMs: 60_000, execute: () => new Promise<string>(() => {}) });
 * const client = createClient('http://test', { fetch: createTestFetch(agent) });
 * let isDone = false;
 * const sent = client.send('Hello').finally(() => { isDone = true; });
 * while (!isDone) await clock.tick(1_000); // the minute passes at once
 * const reply = await sent;
 * console.log(reply.kind === 'task' && reply.state); // TASK_STATE_FAILED
 * ```
 */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
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

/** The earliest timer; among timers of the same time, the one that was set first. */
function nextDue(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers) {
    if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
  }
  return next;
}
