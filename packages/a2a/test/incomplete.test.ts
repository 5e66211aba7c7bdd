import { describe, expect, test } from 'vitest';
import { createAgent } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, quiet, untilIdle } from './looking.js';

describe('P28: onIncomplete, for every kind of caller', () => {
  test.each([
    ['fail', 'TASK_STATE_FAILED'],
    ['keep', 'TASK_STATE_WORKING'],
  ] as const)('P28: %s: sends, streams and subscriptions of a turn that stops at WORKING', async (onIncomplete, state) => {
    const gated = [{ do: 'working' }, { do: 'gate', name: 'stop' }] as const;
    const executor = scriptedExecutor(gated, { turns: [gated, [{ do: 'complete' }]] });
    const agent = createAgent({ name: 'Forgetful', executor, onIncomplete });
    const caller = callerOf(agent);
    const sent = caller.task('go');
    const stream = await caller.stream('go');
    await stream.until(2);
    const { id = '' } = stream.seen[0]?.task ?? {};
    const watcher = await caller.subscribe(id);
    await watcher.until(1);
    executor.open('stop');
    expect((await sent).status.state).toBe(state);
    await stream.all();
    expect(`TASK_STATE_${stream.states.at(-1)}`).toBe(state);
    await untilIdle(agent);
    await quiet();
    expect((await caller.get(id)).status.state).toBe(state);
    const watching = follow(watcher.ended);
    await quiet();
    expect(watching.isSettled, 'a subscription stays open as long as the task').toBe(onIncomplete === 'fail');
    const next = caller.task(say('on', { taskId: id })).then(({ status }) => status.state);
    if (onIncomplete === 'fail') await expect(next).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    else expect(await next).toBe('TASK_STATE_COMPLETED');
    await watcher.all();
    expect(watcher.states.at(-1)).toBe(onIncomplete === 'fail' ? 'FAILED' : 'COMPLETED');
  });
});
