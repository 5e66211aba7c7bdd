import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createAgent, type TaskStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf } from './harness.js';

/** An agent whose tasks end at once, and the number of tasks in each commit of its store. */
function counted() {
  const sizes: number[] = [];
  const counting = ({ commit }: TaskStore): Partial<TaskStore> => ({
    commit(writes) {
      sizes.push(writes.length);
      return commit(writes);
    },
  });
  // A clock that stands still: gathering must not depend on it.
  const agent = createAgent({
    name: 'Counted',
    store: altered(counting),
    clock: manualClock(),
    executor: { execute: (_context, events) => events.complete('done') },
  });
  return { caller: callerOf(agent), sizes };
}

describe('D6: commits that callers wait for', () => {
  test('D6: sends of one event-loop iteration share a commit, except the first, which cannot know of the others', async () => {
    const { caller, sizes } = counted();
    const tasks = await Promise.all(Array.from({ length: 8 }, () => caller.task('go')));
    expect(tasks.map(({ status }) => status.state)).toEqual(Array.from({ length: 8 }, () => 'TASK_STATE_COMPLETED'));
    expect(sizes).toEqual([1, 7]);
  });

  test('D6: after a busy iteration the first send waits for the others, too', async () => {
    const { caller, sizes } = counted();
    await Promise.all([caller.task('go'), caller.task('go')]);
    sizes.length = 0;
    await Promise.all(Array.from({ length: 4 }, () => caller.task('go')));
    expect(sizes).toEqual([4]);
  });

  test('D6: the commit of a caller that is alone does not wait for the end of the iteration', async () => {
    const { caller, sizes } = counted();
    for (let round = 0; round < 3; round += 1) {
      let hasEnded = false;
      const sent = caller.task('go').then(() => {
        hasEnded = true;
      });
      await new Promise<void>((resolve) => process.nextTick(resolve)); // after all promises of the send
      for (let step = 0; step < 50 && !hasEnded; step += 1) await Promise.resolve();
      expect(hasEnded).toBe(true);
      await sent;
      await nextIteration();
    }
    expect(sizes).toEqual([1, 1, 1]);
  });
});
