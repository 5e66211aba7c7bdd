import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.js';
import { Keeper } from './keeper.js';
import { memoryStorage } from './memory-storage.js';
import type { ConversationStorage } from './storage.js';

function kept() {
  const clock = manualClock();
  const state = { value: 0 };
  const sets: unknown[] = [];
  const storage: ConversationStorage = { ...memoryStorage(), set: async (_key, value) => void sets.push(value) };
  const keeper = new Keeper({ storage, key: 'k', clock, snapshot: () => state.value, onError() {} });
  return { clock, state, sets, keeper };
}

const AROUND_THE_END = [0, 1, 2, 3, 4, 5, 6, 8, 10];

test.each(AROUND_THE_END)('a change %i microtasks after a save started is saved, too', async (turns) => {
  for (const verb of ['flush', 'soon'] as const) {
    const { clock, state, sets, keeper } = kept();
    state.value = 1;
    void keeper.flush();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    state.value = 2;
    void keeper[verb]();
    await clock.tick(1_000);
    expect(sets.at(-1)).toBe(2);
    expect(clock.pending).toBe(0);
  }
});

test('a hidden page saves pending changes at once, and writes nothing if there are none', async () => {
  const { clock, state, sets, keeper } = kept();
  keeper.hurry();
  await clock.tick(1_000);
  expect(sets).toEqual([]);
  state.value = 1;
  keeper.soon();
  keeper.hurry();
  expect(sets).toEqual([1]);
  await clock.tick(1_000);
  expect(sets).toEqual([1]);
});
