/** The time of this node: its own clock, and where the store is another machine, moved to the time there (D11). */
import type { Clock } from '../protocol/clock.js';
import type { TaskStore } from '../stores/store.js';

export interface NodeClock extends Clock {
  /** By its own clock alone: how long ago something was does not depend on what a store says. */
  own(): number;
  /** Asks the store for its time and moves to it; answers what the store said. */
  measure(store: TaskStore): Promise<number>;
}

/** A way there and back that takes longer says too little: what was known before is better. */
const LONGEST_WAY_MS = 1_000;

export function nodeClock(clock: Clock): NodeClock {
  let offsetMs = 0;
  let isMeasured = false;
  return {
    now: () => clock.now() + offsetMs,
    own: () => clock.now(),
    after: (delayMs, callback, options) => clock.after(delayMs, callback, options),
    soon: (callback) => clock.soon(callback),
    async measure(store) {
      const asked = clock.now();
      const there = await store.now();
      const answered = clock.now();
      if (!store.isRemote || (isMeasured && answered - asked > LONGEST_WAY_MS)) return there;
      isMeasured = true;
      // The answer was given somewhere between the question and now: in the middle it is wrong by half the way at most.
      offsetMs = Math.round(there - (asked + answered) / 2);
      return there;
    },
  };
}
