import { describe, expect, test } from 'vitest';
import { createAgent } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { ignoringHeartbeats } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { until } from './looking.js';

const CUT_OFF: ScriptStep = { do: 'gate', name: 'never' };

/** Agents on one store in which every node counts as dead: each agent finds the tasks of the previous one as if that had crashed. */
function lives() {
  const store = ignoringHeartbeats();
  const message = say('go');
  return (...steps: readonly ScriptStep[]) => {
    const executor = scriptedExecutor(steps);
    const agent = createAgent({ name: 'Nine lives', store, executor, recovery: 'restart' });
    /** Sends the same message with the same idempotency key and does not wait for the response. */
    const send = (): void => {
      const params = { message, configuration: { returnImmediately: true } };
      callerOf(agent)
        .value('SendMessage', params, { idempotencyKey: 'k' })
        .catch(() => {});
    };
    return { executor, send };
  };
}

describe('attempts', () => {
  test('D17: a send that runs again counts its attempts, and a task that restarts later continues the count', async () => {
    const start = lives();
    const first = start(CUT_OFF);
    first.send();
    await until(() => first.executor.runs.length === 1);
    const task = gate();
    const second = start({ do: 'working' }, { do: 'flush' }, { do: 'call', run: task.open }, CUT_OFF);
    second.send();
    await task.passed;
    const third = start({ do: 'complete' });
    await until(() => third.executor.runs.length === 1);

    const runs = [first, second, third].flatMap(({ executor }) => executor.runs);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(runs[2]?.taskId).toBe(runs[1]?.taskId);
  });
});
