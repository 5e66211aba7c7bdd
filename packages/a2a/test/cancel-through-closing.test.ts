import { expect, test } from 'vitest';
import { memoryBus } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { follow } from './looking.js';
import { remote } from './nodes.js';

const WORK: ScriptStep[] = [{ do: 'working' }, { do: 'flush' }, { do: 'gate', name: 'never' }];

test('D19, D20: a cancel through a node that drains reaches the owner node at once', async () => {
  const { clock, start } = remote();
  const bus = memoryBus();
  const [closing, owner] = [0, 1].map(() => start({ clock, bus, recovery: 'restart', executor: scriptedExecutor(WORK) }));
  if (closing === undefined || owner === undefined) throw new Error('two nodes are needed');
  const begun = [closing, owner].map(({ caller }) => caller.task('go', { returnImmediately: true }));
  await clock.tick(10);
  const [, task] = await Promise.all(begun);
  void closing.agent.close({ drainMs: 30_000 });
  await clock.tick();
  const canceled = follow(closing.caller.handle('CancelTask', { id: task?.id ?? '' }));
  await clock.tick(3_500);
  expect(canceled.isSettled, 'without waiting for the slow re-read').toBe(true);
  expect(await canceled.outcome).toMatchObject({ json: expect.stringContaining('TASK_STATE_CANCELED') });
});
