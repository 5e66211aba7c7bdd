import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/index.js';
import { type AgentExecutor, createAgent, type RequestContext } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { altered, failing } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, storyOf, until, untilIdle } from './looking.js';

const NAME = { name: 'Retrying' };

/** A store whose inbox and claim can be made to fail, and the manual clock that the retries use. */
function flaky() {
  const inbox = failing();
  const claim = failing();
  const claims: string[] = [];
  const store = altered((inner) => ({
    async inbox(ref, after) {
      inbox.check();
      return inner.inbox(ref, after);
    },
    async claim(ref, node) {
      claims.push(ref.id);
      claim.check();
      return inner.claim(ref, node);
    },
  }));
  const errors: A2AError[] = [];
  return { inbox, claim, claims, store, errors, clock: manualClock(), onError: (error: A2AError) => void errors.push(error) };
}

const asks = async (context: RequestContext) => `hi ${await context.requireInput('Who?')}`;

describe('D18: a failed read of the inbox', () => {
  test('D18: an answer that its run could not read is read a second later, and its caller gets the task', async () => {
    const { inbox, store, errors, clock, onError } = flaky();
    const agent = createAgent({ ...NAME, store, clock, onError, execute: asks });
    const caller = callerOf(agent);
    const asked = caller.task('go');
    await clock.tick();
    const { id } = await asked;
    Object.assign(inbox, { skip: 1, times: 2 }); // the caller reads the inbox first, then the run does
    const answered = follow(caller.task(say('Bob', { taskId: id })));
    await clock.tick();
    expect(inbox.times, 'one read has failed').toBe(1);
    await clock.tick(1_000);
    expect(inbox.times, 'the second read has failed as well').toBe(0);
    await clock.tick(999);
    expect(answered.isSettled).toBe(false);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await clock.tick(1);
    const task = await answered.outcome;
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'hi Bob' }] }] });
    expect(errors.map(({ reason }) => reason)).toEqual(['AGENT_UNAVAILABLE', 'AGENT_UNAVAILABLE']);
    await clock.tick(10_000);
    expect(clock.pending).toBe(0);
  });

  test('D18: after a turn, the task is released and the waiting caller gets an error that is not retryable; the next message resumes it', async () => {
    const { inbox, store, errors, clock, onError } = flaky();
    const end = gate();
    const heard: string[] = [];
    const executor: AgentExecutor = {
      async execute({ text }, events) {
        heard.push(text);
        await events.working();
        await events.flush();
        if (text === 'go') await end.passed;
        if (text === 'last') await events.complete();
      },
    };
    const agent = createAgent({ ...NAME, store, clock, onError, onIncomplete: 'keep', executor });
    const caller = callerOf(agent);
    const first = caller.task('go');
    await until(() => heard.length === 1);
    await clock.tick();
    const { id } = agent.tasks.running.map(({ taskId }) => ({ id: taskId }))[0] ?? { id: '' };
    const queued = follow(caller.task(say('more', { taskId: id })).catch((error: A2AError) => error));
    await clock.tick();
    inbox.times = Number.POSITIVE_INFINITY;
    end.open();
    await clock.tick();
    expect(await queued.outcome, 'the message is accepted and runs below').toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: false });
    expect((await first).status.state, 'its turn has ended').toBe('TASK_STATE_WORKING');
    expect(errors.map(({ reason }) => reason)).toContain('AGENT_UNAVAILABLE');
    expect(agent.tasks.running, 'no node runs it').toEqual([]);
    expect((await store.load(refOf(id)))?.node, 'no node owns it').toBeUndefined();
    inbox.times = 0;
    const last = caller.task(say('last', { taskId: id }));
    await clock.tick(5_000);
    expect((await last).status.state).toBe('TASK_STATE_COMPLETED');
    expect(heard).toEqual(['go', 'more', 'last']);
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['taken', 'taken']);
  });
});

describe('D3, D12: a claim that fails after the message was posted', () => {
  test('D3, D12: the claim is retried: the message runs once, its caller gets the answer, and no subscriber is left', async () => {
    const { claim, claims, store, errors, clock, onError } = flaky();
    const heard: string[] = [];
    const executor: AgentExecutor = {
      async execute({ text }, events) {
        heard.push(text);
        await events.status('TASK_STATE_INPUT_REQUIRED', `${text}?`);
      },
    };
    const agent = createAgent({ ...NAME, store, clock, onError, executor, maxReadersPerTask: 1 });
    const caller = callerOf(agent);
    const first = caller.task('go');
    await clock.tick();
    const { id } = await first;
    await untilIdle(agent);
    claim.times = 3;
    claims.length = 0;
    const paid = follow(caller.task(say('pay 5', { taskId: id })));
    for (const tries of [1, 2, 3]) {
      await clock.tick();
      expect([claims.length, paid.isSettled]).toEqual([tries, false]);
      await clock.tick(1_000);
    }
    expect((await paid.outcome).status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'pay 5?' }] } });
    expect(heard).toEqual(['go', 'pay 5']);
    expect(errors.map(({ reason, cause }) => [reason, cause instanceof Error])).toEqual(Array(3).fill(['AGENT_UNAVAILABLE', true]));
    await clock.tick(10_000);
    expect([heard.length, claims.length, clock.pending]).toEqual([2, 4, 0]);
    const reader = await caller.subscribe(id);
    await reader.until(1);
    reader.close();
    expect((await storyOf(store, refOf(id))).filter((entry) => entry.startsWith('input'))).toHaveLength(2);
  });

  test('D3, D19: a cancel is retried as well', async () => {
    const { claim, store, clock } = flaky();
    const executor: AgentExecutor = { execute: (_context, events) => events.status('TASK_STATE_INPUT_REQUIRED') };
    const agent = createAgent({ ...NAME, store, clock, executor });
    const caller = callerOf(agent);
    const first = caller.task('go');
    await clock.tick();
    const { id } = await first;
    await untilIdle(agent);
    claim.times = 1;
    const canceled = follow(caller.cancel(id));
    await clock.tick();
    expect(canceled.isSettled).toBe(false);
    await clock.tick(1_000);
    expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
  });

  test('D20: an agent that is closed meanwhile stops claiming', async () => {
    const { claim, claims, store, clock } = flaky();
    const executor: AgentExecutor = { execute: (_context, events) => events.status('TASK_STATE_INPUT_REQUIRED') };
    const agent = createAgent({ ...NAME, store, clock, executor });
    const caller = callerOf(agent);
    const first = caller.task('go');
    await clock.tick();
    const { id } = await first;
    await untilIdle(agent);
    claim.times = 1;
    const sent = follow(caller.task(say('more', { taskId: id })).catch((error: A2AError) => error.reason));
    await clock.tick();
    const before = claims.length;
    await agent.close();
    await quiet();
    await clock.tick(5_000);
    expect(await sent.outcome).toBe('AGENT_UNAVAILABLE');
    expect(claims).toHaveLength(before);
  });
});
