import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { fetchInProcess, userMessage, V1 } from './endpoints.js';
import { callerOf, say } from './harness.js';
import { hashed, refusal } from './looking.js';

const FULL = {
  reason: 'AGENT_UNAVAILABLE',
  httpStatus: 503,
  retryAfterMs: 1_000,
  message: expect.stringContaining('limit of 100000 bytes (maxBytes)'),
};

/** An agent whose store is full of one unfinished task of Ann, beside a small one of Bob. Both append an event when the gate opens. */
async function full() {
  const clock = manualClock();
  const executor = scriptedExecutor([
    { do: 'append', artifactId: 'a', text: 'x' },
    { do: 'gate', name: 'on' },
    { do: 'append', artifactId: 'a', text: 'y' },
    { do: 'flush' },
    { do: 'complete' },
  ]);
  const agent = createAgent({
    name: 'Small',
    executor,
    clock,
    store: memoryStore({ clock, maxBytes: 100_000, maxBytesPerOwner: 1e9 }),
    auth: 'none',
    onError: () => {},
  });
  const callers = { ann: callerOf(agent, { id: 'ann' }), bob: callerOf(agent, { id: 'bob' }) };
  const done = async <T>(call: Promise<T>): Promise<T> => {
    await clock.tick();
    return call;
  };
  const small = await done(callers.bob.task('go', { returnImmediately: true }));
  const large = await done(callers.ann.task('x'.repeat(17_000), { returnImmediately: true }));
  await clock.tick();
  return { agent, clock, executor, ...callers, small, large, done };
}

describe('F67: an agent whose memory store is full of unfinished tasks', () => {
  test('F67: it refuses new tasks and messages before a run begins', async () => {
    const { agent, executor, ann, bob, small, done } = await full();
    for (const caller of [ann, bob]) expect(await done(refusal(caller.send('more')))).toMatchObject(FULL);
    const keyed = refusal(bob.send('more', undefined, { idempotencyKey: 'key-1' }));
    await hashed();
    expect(await keyed).toMatchObject(FULL);
    expect(await done(refusal(bob.send(say('more', { taskId: small.id }))))).toMatchObject(FULL);
    expect(executor.runs).toHaveLength(2);
    await done(agent.close({ drainMs: 0 }));
  });

  test('F67: the large task that fills it cannot grow and fails; the small task of another caller completes, and there is room again', async () => {
    const { agent, clock, executor, ann, bob, small, large, done } = await full();
    executor.open('on');
    await clock.tick(10);
    expect((await done(bob.get(small.id))).status.state).toBe('TASK_STATE_COMPLETED');
    await clock.tick(2_000);
    expect((await done(ann.get(large.id))).status.state).toBe('TASK_STATE_FAILED');
    expect((await done(bob.task('more'))).status.state).toBe('TASK_STATE_COMPLETED');
    await agent.close();
  });

  test('F67: a caller over HTTP gets 503 with Retry-After', async () => {
    const { agent, done } = await full();
    const response = await fetchInProcess(agent)('/message:send', {
      method: 'POST',
      headers: { ...V1, 'content-type': 'application/json' },
      body: JSON.stringify(userMessage('more')),
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.text()).toContain('maxBytes');
    await done(agent.close({ drainMs: 0 }));
  });
});
