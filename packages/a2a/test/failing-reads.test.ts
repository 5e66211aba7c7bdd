import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/index.js';
import { type AgentExecutor, type AgentOptions, createAgent, type RequestContext } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { altered, failing } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal, storyOf, until, untilIdle } from './looking.js';

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

describe('D18: a failed read of the history at the start of a turn', () => {
  /** An agent with one task that has no run and no owner: its next turn must read the history. `open.messages` delays these reads. */
  async function rested(options: Partial<AgentOptions> = {}) {
    const messages = failing();
    const open = gate();
    const store = altered((inner) => ({
      async messages(...read) {
        await open.passed;
        messages.check();
        return inner.messages(...read);
      },
    }));
    const heard: (readonly string[])[] = [];
    const canceled: number[] = [];
    const executor: AgentExecutor = {
      async execute({ currentTask }, events) {
        heard.push((currentTask?.history ?? []).map(({ parts }) => parts[0]?.text ?? ''));
        if (heard.length === 1) await events.status('TASK_STATE_INPUT_REQUIRED', 'which?');
        else await events.complete();
      },
      cancel: async ({ currentTask }) => void canceled.push(currentTask?.history?.length ?? 0),
    };
    const errors: string[] = [];
    const clock = manualClock();
    const agent = createAgent({ ...NAME, store, clock, executor, onError: ({ reason }) => errors.push(reason), ...options });
    const caller = callerOf(agent);
    const asked = caller.task('go');
    await clock.tick();
    const { id } = await asked;
    await untilIdle(agent);
    // A reply without history needs none of these reads.
    const answer = () => caller.task(say('this', { taskId: id }), { historyLength: 0 });
    return { answer, messages, open, heard, canceled, errors, clock, agent, caller, id };
  }

  test('D18: is tried again each second, and then the turn begins with the whole history', async () => {
    const { answer, messages, open, heard, errors, clock } = await rested();
    open.open();
    messages.times = 3;
    const answered = follow(answer());
    for (const left of [2, 1, 0]) {
      await clock.tick();
      expect([messages.times, heard.length, answered.isSettled]).toEqual([left, 1, false]);
      await clock.tick(1_000);
    }
    expect((await answered.outcome).status.state).toBe('TASK_STATE_COMPLETED');
    expect(heard[1]).toEqual(['go', 'which?', 'this']);
    expect(errors).toEqual(Array(3).fill('AGENT_UNAVAILABLE'));
  });

  test('D18: is tried until the maximum run time is over', async () => {
    const { answer, messages, open, heard, clock } = await rested({ maxRunMs: 2_500 });
    open.open();
    messages.times = Number.POSITIVE_INFINITY;
    const answered = answer();
    for (let second = 0; second < 5; second += 1) await clock.tick(1_000);
    messages.times = 0;
    const { status } = await answered;
    expect([status.state, heard.length]).toEqual(['TASK_STATE_FAILED', 1]);
    expect(JSON.stringify(status)).toContain('TASK_TIMEOUT');
  });

  test('D18: is not tried again for a run that was canceled; the read for cancel() is', async () => {
    const { answer, messages, open, heard, canceled, clock, caller, id } = await rested({ cancelGraceMs: 60_000 });
    open.open();
    messages.times = 2;
    const answered = answer();
    await clock.tick();
    const cancel = caller.cancel(id);
    await clock.tick(1_000);
    await clock.tick(1_000);
    expect((await cancel).status.state).toBe('TASK_STATE_CANCELED');
    await answered;
    expect([heard.length, canceled]).toEqual([1, [3]]);
  });

  test('D18: execute does not begin when the task was deleted during the read', async () => {
    const { answer, open, heard, agent, clock, id } = await rested();
    const answered = refusal(answer());
    await clock.tick();
    expect(await agent.tasks.delete({ taskId: id, owner: '' })).toBe(true);
    expect(await answered).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    open.open();
    await quiet();
    expect(heard).toHaveLength(1);
    await untilIdle(agent);
  });
});

test("D18: a run that was lost while it waited for its context does not begin (serialize: 'context')", async () => {
  const heard: string[] = [];
  const never = gate();
  const execute = async ({ text }: RequestContext) => {
    heard.push(text);
    await never.passed;
  };
  const agent = createAgent({ ...NAME, serialize: 'context', execute, onError: () => {} });
  const caller = callerOf(agent);
  const sent = ['one', 'two', 'three'].map((text) => refusal(caller.task(say(text, { contextId: 'c' }))));
  await until(() => heard.length === 1);
  await agent.tasks.deleteContext({ contextId: 'c', owner: '' });
  expect((await Promise.all(sent)).map(({ reason }) => reason)).toEqual(Array(3).fill('TASK_NOT_FOUND'));
  await untilIdle(agent);
  expect(heard).toEqual(['one']);
});
