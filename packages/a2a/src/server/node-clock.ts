/** The time of this node: its own clock, and where the store is another machine, moved to the time there (D11). */
import type { Clock } from '../protocol/clock.js';
import type { TaskStore } from '../stores/store.js';

export interface NodeClock extends Clock {
  /** By its own clock alone: how long ago something was does not depend on what a store says. */
  own(): number;
  /** Asks the store for its time and moves to it; answers what the store said. */
  measure(store: TaskStore): Promise<number>;
}

export function nodeClock(clock: Clock): NodeClock {
  let offsetMs = 0;
  return {
    now: () => clock.now() + offsetMs,
    own: () => clock.now(),
    after: (delayMs, callback, options) => clock.after(delayMs, callback, options),
    soon: (callback) => clock.soon(callback),
    async measure(store) {
      const asked = clock.now();
      const there = await store.now();
      // The answer was given somewhere between the question and now: in the middle it is wrong by half the way at most.
      if (store.isRemote) offsetMs = Math.round(there - (asked + clock.now()) / 2);
      return there;
    },
  };
}
