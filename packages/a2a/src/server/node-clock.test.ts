import { describe, expect, test } from 'vitest';
import { memoryStore } from '../stores/memory.js';
import type { TaskStore } from '../stores/store.js';
import { handClock } from '../testing/hand-clock.js';
import { nodeClock } from './node-clock.js';

const HOUR = 3_600_000;

/** A store that is an hour ahead; its answer is as long on its way as `measure` says. */
function start(isRemote: boolean) {
  const hand = handClock();
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
  test('D11: is that of the store where that is another machine, wrong by half the way at most', async () => {
    const { hand, clock, measure } = start(true);
    expect(await measure(40)).toBe(HOUR - 20);
    expect(clock.own()).toBe(hand.now());
  });

  test('D11: is its own where the store is beside it', async () => {
    expect(await start(false).measure(40)).toBe(0);
  });

  test('D11: is not moved by an answer that was long on its way, unless there is no other', async () => {
    const { measure } = start(true);
    expect(await measure(9_000)).toBe(HOUR - 4_500);
    expect(await measure(40)).toBe(HOUR - 20);
    expect(await measure(9_000)).toBe(HOUR - 20);
  });
});
