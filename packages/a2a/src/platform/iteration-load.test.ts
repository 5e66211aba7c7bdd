import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { IterationLoad } from './iteration-load.js';
import { systemClock } from './system-clock.js';

test('one call in an iteration is not shared, the second one is', () => {
  const load = new IterationLoad();
  load.add();
  expect(load.isShared).toBe(false);
  load.add();
  expect(load.isShared).toBe(true);
});

test('after an iteration with several calls, the first call of the next one is shared; after one with a single call it is not', async () => {
  const load = new IterationLoad();
  load.add();
  load.add();
  await nextIteration();
  load.add();
  expect(load.isShared).toBe(true);
  await nextIteration();
  load.add();
  expect(load.isShared).toBe(false);
});

test('a busy iteration predicts nothing after a pause', async () => {
  const now = vi.spyOn(systemClock, 'now').mockReturnValue(1_000);
  const load = new IterationLoad();
  load.add();
  load.add();
  await nextIteration();
  now.mockReturnValue(1_200);
  load.add();
  expect(load.isShared).toBe(false);
});

test('the number of the iteration grows only after iterations with calls', async () => {
  const load = new IterationLoad();
  const before = load.iteration;
  load.add();
  load.add();
  expect(load.iteration).toBe(before);
  await nextIteration();
  expect(load.iteration).toBe(before + 1);
  await nextIteration();
  expect(load.iteration).toBe(before + 1);
});
