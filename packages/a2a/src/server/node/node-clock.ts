/** The time of this node: its own clock, adjusted to the time of the store if the store is on another machine (D11). */
import type { Clock } from '../../protocol/clock.js';
import type { TaskStore } from '../../stores/store.js';

export interface NodeClock extends Clock {
  /** The node's own clock, without the adjustment: for measuring durations. */
  own(): number;
  /** Reads the store's time, adjusts this clock to it and returns it. */
  measure(store: TaskStore): Promise<number>;
}

/** A longer round trip is too inexact: keep the earlier measurement. */
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
      // The store answered at some moment between the request and now: assuming the middle, the error is at most half the round trip.
      offsetMs = Math.round(there - (asked + answered) / 2);
      return there;
    },
  };
}
