import { describe, expect, test } from 'vitest';
import { createAgent } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { deafToBeats } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { until } from './looking.js';

const CUT_OFF: ScriptStep = { do: 'gate', name: 'never' };

/** Agents on one store, where nobody counts as living: each finds what the one before left as if that had crashed. */
function lives() {
  const store = deafToBeats();
  const message = say('go');
  return (...steps: readonly ScriptStep[]) => {
    const executor = scriptedExecutor(steps);
    const agent = createAgent({ name: 'Nine lives', store, executor, recovery: 'restart' });
    /** The same message under the same key; nobody waits for the answer. */
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
  test('D17: a send that is run again counts its attempts, and a task that is entered again after that counts on', async () => {
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
