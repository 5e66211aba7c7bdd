import { describe, expect, test } from 'vitest';
import { replyOf, scripted, settle, team, unavailable } from '../../../test/client/scripted-team.js';
import { A2ACircuitOpenError, A2AError, A2ATaskFailedError } from '../../protocol/errors.js';
import type { Task } from '../../protocol/types.js';
import { manualClock } from '../../testing/manual-clock.js';
import { createCoordinator } from './create-coordinator.js';

describe('one agent', () => {
  test('B16: a reply is an outcome of kind done', async () => {
    const { a, coordinator } = team();
    const outcome = coordinator.delegate('a', 'hi', { metadata: { n: 1 } });
    await settle();
    a.answer('hello');
    expect(await outcome).toEqual({ kind: 'done', agent: 'a', reply: replyOf('hello') });
    expect(a.asked).toEqual([{ message: 'hi', options: { metadata: { n: 1 }, throwOn: 'failure' } }]);
  });

  test('B16: a failure is an outcome with its error', async () => {
    const { a, coordinator } = team();
    const task: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } };
    const error = new A2ATaskFailedError('INTERNAL_ERROR', task, 'it broke');
    const outcome = coordinator.delegate('a', 'hi');
    await settle();
    a.fail(error);
    expect(await outcome).toEqual({ kind: 'failed', agent: 'a', error });
  });

  test('B16: a run that throws synchronously, even a foreign error, is a failure that keeps its cause', async () => {
    const cause = new TypeError('no');
    const a = scripted('a', () => {
      throw cause;
    });
    const outcome = await createCoordinator({ agents: { a } }).delegate('a', 'hi');
    expect(outcome).toMatchObject({ kind: 'failed', error: { reason: 'INTERNAL_ERROR', cause } });
  });

  test('B16: after three failures the agent is skipped without a request, until its circuit closes', async () => {
    const { a, clock, coordinator } = team();
    for (let count = 0; count < 3; count += 1) {
      const failing = coordinator.delegate('a', 'hi');
      await settle();
      a.fail(unavailable());
      expect((await failing).kind).toBe('failed');
    }
    expect(await coordinator.delegate('a', 'hi')).toEqual({ kind: 'skipped', agent: 'a', reason: 'circuit-open', until: 31_000 });
    expect(a.asked).toHaveLength(3);
    await clock.tick(30_000);
    const back = coordinator.delegate('a', 'hi');
    await settle();
    a.answer('better');
    expect((await back).kind).toBe('done');
  });

  test('B16: an agent whose client has an open circuit is skipped too', async () => {
    const a = scripted('a', () => new A2ACircuitOpenError('open', { retryAfterMs: 500 }));
    const outcome = await createCoordinator({ agents: { a }, breaker: false, clock: manualClock(1_000) }).delegate('a', 'hi');
    expect(outcome).toEqual({ kind: 'skipped', agent: 'a', reason: 'circuit-open', until: 1_500 });
  });

  test('B16: with breaker: false no agent is skipped', async () => {
    const a = scripted('a', unavailable);
    const coordinator = createCoordinator({ agents: { a }, breaker: false });
    for (let count = 0; count < 5; count += 1) await coordinator.delegate('a', 'hi');
    expect(a.asked).toHaveLength(5);
    expect(coordinator.health().a).toMatchObject({ healthy: true, consecutiveFailures: 0 });
  });

  test('B16: an unknown name is an error, not an outcome', async () => {
    const { coordinator } = team();
    const stranger = 'x' as 'a'; // an untyped caller may write this
    await expect(coordinator.delegate(stranger, 'hi')).rejects.toThrow('unknown agent x; the agents are a, b, c');
    await expect(coordinator.delegate('toString' as 'a', 'hi')).rejects.toThrow('unknown agent toString');
  });

  test('B16: a caller that aborts by its signal gets no outcome and cancels nothing', async () => {
    const { a, coordinator } = team();
    const control = new AbortController();
    const outcome = coordinator.delegate('a', 'hi', { signal: control.signal });
    await settle();
    control.abort();
    await expect(outcome).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(a.events).toEqual([]);
  });

  test('D23: a caller that is itself canceled gets no outcome', async () => {
    const { a, coordinator } = team();
    const parent = new AbortController();
    const outcome = coordinator.delegate('a', 'hi', { scope: { signal: parent.signal, depth: 0 } });
    await settle();
    parent.abort();
    a.fail(new A2AError('ABORTED', 'left'));
    await expect(outcome).rejects.toMatchObject({ reason: 'ABORTED' });
  });

  test('B16: an abort that the caller did not cause is a failure of the agent', async () => {
    const a = scripted('a', () => new A2AError('ABORTED', 'the agent says so'));
    const { signal } = new AbortController();
    expect(await createCoordinator({ agents: { a } }).delegate('a', 'hi', { signal })).toMatchObject({ kind: 'failed' });
  });

  test('B16: a timeout is a failure; the task is canceled and no timer is left', async () => {
    const { a, clock, coordinator } = team();
    const outcome = coordinator.delegate('a', 'hi', { timeoutMs: 5_000 });
    await clock.tick(4_999);
    expect(a.events).toEqual([]);
    await clock.tick(1);
    expect(await outcome).toMatchObject({ kind: 'failed', error: { name: 'A2ATransportError', reason: 'TASK_TIMEOUT', phase: 'total' } });
    expect(a.events).toEqual(['cancel', 'detach']);
    expect(clock.pending).toBe(0);
    expect(coordinator.health().a.consecutiveFailures).toBe(1);
  });

  test('B16: a reply in time leaves no timer', async () => {
    const { a, clock, coordinator } = team();
    const outcome = coordinator.delegate('a', 'hi', { timeoutMs: 5_000 });
    await settle();
    a.answer('hello');
    await outcome;
    expect(clock.pending).toBe(0);
  });

  test.each([0, -1, Number.NaN])('B16: timeoutMs %s is refused before any agent is called', async (timeoutMs) => {
    const { a, coordinator } = team();
    await expect(coordinator.delegate('a', 'hi', { timeoutMs })).rejects.toThrow(`timeoutMs must be positive, got ${timeoutMs}`);
    expect(a.asked).toEqual([]);
  });

  test('D23: the deadline of the scope limits the call; after it no agent is called', async () => {
    const { a, clock, coordinator } = team();
    const scope = { signal: new AbortController().signal, depth: 0, deadline: 3_000 };
    const outcome = coordinator.delegate('a', 'hi', { scope, timeoutMs: 60_000 });
    await clock.tick(2_000);
    expect(await outcome).toMatchObject({ kind: 'failed', error: { reason: 'TASK_TIMEOUT' } });
    expect(a.asked[0]?.options.scope).toBe(scope);
    expect(await coordinator.delegate('a', 'hi', { scope })).toMatchObject({
      kind: 'failed',
      error: { reason: 'TASK_TIMEOUT', sent: false },
    });
    expect(a.asked).toHaveLength(1);
    expect(coordinator.health().a.consecutiveFailures, 'an agent that was not called has not failed').toBe(1);
  });
});
