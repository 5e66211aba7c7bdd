import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createAgent, type TaskEvents, type TaskStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf, say } from './harness.js';

/** An agent whose runs end at once, and the number of tasks in each commit of its store. */
function counted(execute: (events: TaskEvents) => Promise<void> = (events) => events.complete('done')) {
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
    executor: { execute: (_context, events) => execute(events) },
  });
  return { caller: callerOf(agent), sizes };
}

/** Whether it settles before the event loop continues. */
async function endsInThisIteration(sent: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const ended = sent.then(() => {
    hasEnded = true;
  });
  await new Promise<void>((resolve) => process.nextTick(resolve)); // after all promises of the send
  for (let step = 0; step < 200 && !hasEnded; step += 1) await Promise.resolve();
  const isInTime = hasEnded;
  await ended;
  return isInTime;
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

  test('D6: a single caller does not wait, also when its message and its result are two commits', async () => {
    const { caller, sizes } = counted((events) => events.status('TASK_STATE_INPUT_REQUIRED', 'Next?'));
    const { id } = await caller.task('go');
    await nextIteration();
    for (let round = 0; round < 3; round += 1) {
      sizes.length = 0;
      expect(await endsInThisIteration(caller.task(say('next', { taskId: id })))).toBe(true);
      await nextIteration();
      expect(sizes, 'the message, the question, and the end of the turn').toEqual([1, 1, 1]);
    }
  });

  test('D6: the commit of a caller that is alone does not wait for the end of the iteration', async () => {
    const { caller, sizes } = counted();
    for (let round = 0; round < 3; round += 1) {
      expect(await endsInThisIteration(caller.task('go'))).toBe(true);
      await nextIteration();
    }
    expect(sizes).toEqual([1, 1, 1]);
  });
});
