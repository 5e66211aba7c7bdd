import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../stores/memory.js';
import type { TaskStore } from '../../stores/store.js';
import { manualClock } from '../../testing/manual-clock.js';
import { nodeClock } from './node-clock.js';

const HOUR = 3_600_000;

/** A store whose clock is an hour ahead; its answer takes `wayMs`, the argument of `measure`. */
function start(isRemote: boolean) {
  const hand = manualClock();
  let backMs = 0;
  const store: TaskStore = {
    ...memoryStore({ clock: hand }),
    isRemote,
    now: async () => {
      const there = hand.now() + HOUR;
      await new Promise<void>((resolve) => hand.after(backMs, resolve));
      return there;
    },
  };
  const clock = nodeClock(hand);
  const measure = async (wayMs: number): Promise<number> => {
    backMs = wayMs;
    const measured = clock.measure(store);
    await hand.tick(wayMs);
    await measured;
    return clock.now() - hand.now();
  };
  return { hand, clock, measure };
}

describe('D11: the time of a node', () => {
  test('D11: is the time of a remote store, wrong by at most half the round trip', async () => {
    const { hand, clock, measure } = start(true);
    expect(await measure(40)).toBe(HOUR - 20);
    expect(clock.own()).toBe(hand.now());
  });

  test('D11: is its own time when the store is local', async () => {
    expect(await start(false).measure(40)).toBe(0);
  });

  test('D11: is not adjusted by a slow answer, unless no other answer exists', async () => {
    const { measure } = start(true);
    expect(await measure(9_000)).toBe(HOUR - 4_500);
    expect(await measure(40)).toBe(HOUR - 20);
    expect(await measure(9_000)).toBe(HOUR - 20);
  });
});
