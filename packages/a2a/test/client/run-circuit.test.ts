/** A run and the circuit breaker of its client, both with defaults: failed attempts of the run must not block its reconnects. */
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { type FaultScript, faultFetch, manualClock } from '../../src/testing/index.js';
import { outcome } from './scripted-send.js';

const status = (state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED') => ({ id: 't', contextId: 'c', status: { state } });
const WORKING = { task: status('TASK_STATE_WORKING') };

function against(script: FaultScript) {
  const clock = manualClock();
  const peer = faultFetch({ script, clock });
  const timeouts = { firstByteMs: 1_000, idleMs: 1_000 };
  const client = createClient('http://test', { fetch: peer, clock, random: () => 1, timeouts });
  /** Advances the clock until the promise settles. */
  const settle = async <T>(promise: Promise<T>) => {
    const result = outcome(promise);
    for (let turns = 0; !result.done() && turns < 2_000; turns++) await clock.tick(1_000);
    return result;
  };
  const methods = () => peer.requests.map(({ operation }) => operation);
  return { client, clock, settle, methods };
}

test('G26: the final GetTask is sent although the failed attempts have opened the circuit', async () => {
  const { client, settle, methods } = against({
    SendStreamingMessage: { events: [WORKING], finish: 'stall' },
    SubscribeToTask: 'stall',
    GetTask: { value: status('TASK_STATE_COMPLETED') },
  });
  expect((await settle(client.run('Hi').result)).value).toMatchObject({ taskId: 't', state: 'TASK_STATE_COMPLETED' });
  expect(methods().at(-1)).toBe('GetTask');
});

test('G23: a run reconnects without waiting for an open circuit, and a successful attempt closes it', async () => {
  const { client, clock, settle } = against({
    SendStreamingMessage: { events: [WORKING], finish: 'stall' },
    ListTasks: 503,
    SubscribeToTask: { events: [{ task: status('TASK_STATE_COMPLETED') }] },
    GetTask: { value: status('TASK_STATE_COMPLETED') },
  });
  const run = client.run('Hi');
  let openedAt = 0;
  for await (const update of run) {
    if (update.kind !== 'task' || update.recovered) continue;
    for (let failed = 0; failed < 3; failed++) await settle(client.listTasks({}));
    expect((await settle(client.listTasks({}))).error).toMatchObject({ name: 'A2ACircuitOpenError' });
    expect((await settle(client.watch('t').result)).error).toMatchObject({ name: 'A2ACircuitOpenError' });
    openedAt = clock.now();
    void settle(run.result); // advances the clock while the loop waits
  }
  expect(clock.now() - openedAt).toBeLessThan(10_000);
  expect(await run.result).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
  expect((await settle(client.getTask({ id: 't' }))).value).toMatchObject({ id: 't' });
});
