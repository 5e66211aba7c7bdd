import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import type { ErrorContext } from '../src/platform/logger.js';
import { type AgentExecutor, createAgent, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, logOf, quiet, refOf, refusal, storyOf, untilIdle } from './looking.js';

const NAME = { name: 'Stopper' };
const NEVER = new Promise<never>(() => {});

/** Rejects when the signal aborts, as a well-behaved executor does. */
function whenAborted({ signal }: RequestContext): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

async function obeys(context: RequestContext, events: TaskEvents): Promise<void> {
  await events.working();
  await whenAborted(context);
}

async function ignores(_context: RequestContext, events: TaskEvents): Promise<void> {
  await events.working();
  await NEVER;
}

/** An agent on a manual clock, with one running task and a stream that reads it. */
async function running(executor: AgentExecutor) {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const agent = createAgent({ ...NAME, clock, store, executor });
  const caller = callerOf(agent);
  const { id } = await caller.task('go', { returnImmediately: true });
  const watcher = await caller.subscribe(id);
  await clock.tick();
  return { agent, caller, clock, id, store, watcher };
}

describe('P35: canceling a running task', () => {
  test('P35: aborts the run, calls cancel, waits for both and returns the stored task', async () => {
    const order: string[] = [];
    const executor: AgentExecutor = {
      async execute(context, events) {
        await events.working();
        context.signal.addEventListener('abort', () => order.push('aborted'));
        await whenAborted(context).finally(() => order.push('unwound'));
      },
      async cancel(context, events) {
        order.push(context.signal.aborted ? 'cancel, signal aborted' : 'cancel, signal not aborted');
        await events.canceled('as you wish');
        order.push('said so');
      },
    };
    const { agent, caller, id, watcher } = await running(executor);
    const task = await caller.cancel(id);
    expect(task).toEqual(await caller.get(id));
    expect(task.status).toMatchObject({ state: 'TASK_STATE_CANCELED', message: { parts: [{ text: 'as you wish' }] } });
    expect(order).toContain('cancel, signal aborted');
    expect(order[0]).toBe('aborted');
    expect(order).toEqual(expect.arrayContaining(['unwound', 'said so']));
    await watcher.all();
    expect(watcher.states.at(-1)).toBe('CANCELED');
    await untilIdle(agent);
  });

  test('P35: the cancel context has no message, the metadata of the cancel, and the current task', async () => {
    const executor = scriptedExecutor(
      [
        { do: 'append', artifactId: 'a', text: 'half' },
        { do: 'gate', name: 'never' },
      ],
      { cancel: [] },
    );
    const { caller, id } = await running(executor);
    await caller.value('CancelTask', { id, metadata: { why: 'changed my mind' } });
    expect(executor.cancels).toHaveLength(1);
    const [context] = executor.cancels;
    expect(context).toMatchObject({
      taskId: id,
      text: '',
      parts: [],
      metadata: { why: 'changed my mind' },
      currentTask: { id, artifacts: [{ artifactId: 'a' }] },
    });
    expect(context?.message).toBeUndefined();
  });

  test('P35: a blocking send and a stream that wait for the task return at its end', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const blocked = caller.task('go');
    await quiet();
    const { id = '' } = (await caller.list()).tasks[0] ?? {};
    await caller.cancel(id);
    expect((await blocked).status.state).toBe('TASK_STATE_CANCELED');
  });

  test('P35: two concurrent cancels call cancel once and both get a response', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }], { cancel: [{ do: 'canceled' }] });
    const { caller, id } = await running(executor);
    const answers = await Promise.all([caller.cancel(id), caller.cancel(id), caller.cancel(id)]);
    expect(answers.map(({ status }) => status.state)).toEqual(Array(3).fill('TASK_STATE_CANCELED'));
    expect(executor.cancels).toHaveLength(1);
  });
});

describe('P36: canceling a task that has ended', () => {
  test.each([
    ['complete', 'COMPLETED'],
    ['fail', 'FAILED'],
    ['reject', 'REJECTED'],
  ] as const)('P36: after %s the error is TaskNotCancelable, and the task is unchanged', async (end, state) => {
    const caller = callerOf(createAgent({ ...NAME, executor: scriptedExecutor([{ do: end, text: 'over' }]) }));
    const before = await caller.task('go');
    const error = await refusal(caller.cancel(before.id));
    expect(error).toMatchObject({ reason: 'TASK_NOT_CANCELABLE', code: -32002, httpStatus: 400 });
    expect(error.message).toContain(state);
    expect(await caller.get(before.id)).toEqual(before);
  });

  test('P36: a second cancel returns the canceled task again, unchanged', async () => {
    const { caller, id, store } = await running({ execute: obeys });
    const once = await caller.cancel(id);
    const log = await logOf(store, refOf(id));
    expect(await caller.cancel(id)).toEqual(once);
    expect(await logOf(store, refOf(id))).toEqual(log);
  });

  test('P36: an unknown task gives TaskNotFound', async () => {
    const caller = callerOf(createAgent({ ...NAME, execute: () => 'x' }));
    expect(await refusal(caller.cancel('unknown'))).toMatchObject({ reason: 'TASK_NOT_FOUND', code: -32001, httpStatus: 404 });
  });
});

describe('P37: canceling a task that waits for input', () => {
  test.each(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'] as const)(
    'P37: a task parked in %s is CANCELED at once if there is no cancel()',
    async (state) => {
      const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status(state, 'well?') }]);
      const clock = manualClock();
      const store = memoryStore({ clock });
      const agent = createAgent({ ...NAME, clock, store, executor });
      const caller = callerOf(agent);
      const { id } = await caller.task('go');
      const watcher = await caller.subscribe(id);
      await clock.tick();
      expect(agent.tasks.running).toEqual([]);
      const task = await caller.cancel(id);
      expect(task.status.state).toBe('TASK_STATE_CANCELED');
      expect(clock.now(), 'without a grace period').toBe(manualClock().now());
      await watcher.all();
      expect(watcher.states.at(-1)).toBe('CANCELED');
      expect((await inboxOf(store, refOf(id))).map((row) => row.state)).toEqual(['taken']);
      expect(await refusal(caller.send(say('still there?', { taskId: id })))).toMatchObject({ code: -32004 });
      expect(executor.runs).toHaveLength(1);
    },
  );

  test('P37: a run that waits inside requireInput is live: cancel is called', async () => {
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }], {
      cancel: [{ do: 'canceled', text: 'told' }],
    });
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    expect((await caller.cancel(id)).status.message?.parts).toEqual([{ text: 'told' }]);
    expect(executor.cancels).toHaveLength(1);
    expect(executor.answers).toEqual([]);
    await untilIdle(agent);
  });
});

describe('P38, F8: a cancel that throws', () => {
  test.each([
    ['a crash', new Error('password is hunter2'), 'INTERNAL_ERROR'],
    ['an A2AError', new A2AError('AGENT_UNAVAILABLE', 'cannot stop now', { retryAfterMs: 5_000 }), 'AGENT_UNAVAILABLE'],
  ] as const)(
    'P38, F8: with %s the cancel, the send and the stream show CANCELED, and onError is called once',
    async (_name, thrown, reason) => {
      const executor: AgentExecutor = {
        execute: obeys,
        async cancel() {
          throw thrown;
        },
      };
      const errors: A2AError[] = [];
      const agent = createAgent({ ...NAME, executor, onError: (error) => errors.push(error) });
      const caller = callerOf(agent);
      const blocked = caller.task('go');
      await quiet();
      const { id = '' } = (await caller.list()).tasks[0] ?? {};
      const watcher = await caller.subscribe(id);
      const canceled = await caller.cancel(id);
      expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
      expect(canceled.status.message).toBeUndefined();
      expect(await blocked).toEqual(canceled);
      await watcher.all();
      expect(watcher.seen.at(-1)?.statusUpdate?.status).toEqual(canceled.status);
      expect(JSON.stringify([canceled, watcher.seen])).not.toContain('hunter2');
      expect(errors.map((error) => error.reason)).toEqual([reason]);
      await untilIdle(agent);
    },
  );
});

test('P38: what cancel throws while no run is active is reported with the request of the last turn', async () => {
  const where: ErrorContext[] = [];
  const executor: AgentExecutor = {
    execute: (_context, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'Which one?'),
    async cancel() {
      throw new Error('cancel broke');
    },
  };
  const agent = createAgent({ ...NAME, executor, onError: (_error, context) => where.push(context) });
  const caller = callerOf(agent);
  await caller.handle('SendMessage', { message: say('go') }, { requestId: 'request-1' });
  const { id = '' } = (await caller.list()).tasks[0] ?? {};
  await caller.cancel(id);
  expect(where).toEqual([expect.objectContaining({ requestId: 'request-1', taskId: id, attempt: 1 })]);
});

describe('P39: a cancel that publishes nothing', () => {
  test.each([
    ['an empty cancel', { execute: obeys, cancel: async () => {} }],
    ['no cancel at all', { execute: obeys }],
    [
      'a run that ends by itself when aborted',
      { execute: (context: RequestContext, events: TaskEvents) => obeys(context, events).catch(() => {}), cancel: async () => {} },
    ],
  ] as const)('P39: with %s the framework writes CANCELED, and every reader sees it', async (_name, executor) => {
    const { caller, id, store, watcher } = await running(executor);
    const second = await caller.subscribe(id);
    expect((await caller.cancel(id)).status.state).toBe('TASK_STATE_CANCELED');
    for (const reader of [watcher, second]) {
      await reader.all();
      expect(reader.states.at(-1)).toBe('CANCELED');
    }
    expect((await storyOf(store, refOf(id))).filter((line) => line === 'status:CANCELED')).toHaveLength(1);
  });
});

describe('P40: an abort is not a failure', () => {
  test.each([
    ['throws the reason of the signal', (signal: AbortSignal) => signal.throwIfAborted()],
    [
      'throws an AbortError',
      () => {
        throw new DOMException('aborted', 'AbortError');
      },
    ],
    [
      'throws an error of its own',
      () => {
        throw new Error('my own cleanup failed');
      },
    ],
    [
      'throws an A2AError',
      () => {
        throw new A2AError('RATE_LIMITED', 'slow down');
      },
    ],
    ['just returns', () => {}],
  ] as const)(
    'P40: a run that %s when it is canceled ends CANCELED, with no FAILED in its log and no reported error',
    async (_name, react) => {
      const errors: unknown[] = [];
      const clock = manualClock();
      const store = memoryStore({ clock });
      const agent = createAgent({
        ...NAME,
        clock,
        store,
        onError: (error) => errors.push(error),
        executor: {
          async execute(context, events) {
            await events.working();
            await whenAborted(context).catch(() => {});
            react(context.signal);
          },
        },
      });
      const caller = callerOf(agent);
      const { id } = await caller.task('go', { returnImmediately: true });
      await clock.tick();
      expect((await caller.cancel(id)).status.state).toBe('TASK_STATE_CANCELED');
      await clock.tick();
      expect(await storyOf(store, refOf(id))).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'status:CANCELED']);
      expect(errors).toEqual([]);
      expect(agent.tasks.running).toEqual([]);
      expect(clock.pending, 'no timer is left').toBe(0);
    },
  );

  test('P40: events that an aborted run publishes before it ends are stored', async () => {
    const { caller, id } = await running({
      async execute(context, events) {
        await events.working();
        await whenAborted(context).catch(() => {});
        await events.appendText('partial', 'what I had');
      },
    });
    expect(await caller.cancel(id)).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
      artifacts: [{ parts: [{ text: 'what I had' }] }],
    });
  });
});

describe('D19: every cancel ends within the grace period', () => {
  const hangs = { execute: ignores, cancel: () => NEVER };
  test.each([
    ['obeys the signal', { execute: obeys, cancel: async () => {} }, 'CANCELED', 0],
    ['ignores the signal', { execute: ignores, cancel: async () => {} }, 'CANCELED', 3_000],
    ['ignores the signal and has no cancel', { execute: ignores }, 'CANCELED', 3_000],
    ['has a cancel that hangs', hangs, 'CANCELED', 3_000],
    ['has a cancel that throws', { execute: ignores, cancel: () => Promise.reject(new Error('no')) }, 'CANCELED', 3_000],
    [
      'publishes CANCELED in cancel but hangs in execute',
      { execute: ignores, cancel: (_: RequestContext, events: TaskEvents) => events.canceled() },
      'CANCELED',
      3_000,
    ],
  ] as const)('D19: an executor that %s: the final state and the response come in time', async (_name, executor, state, withinMs) => {
    const { agent, caller, clock, id, watcher } = await running(executor);
    const answer = follow(caller.cancel(id));
    await clock.tick(withinMs);
    expect(answer.isSettled).toBe(true);
    expect((await answer.outcome).status.state).toBe(`TASK_STATE_${state}`);
    await watcher.all();
    expect(watcher.states.at(-1)).toBe(state);
    await clock.tick(3_000);
    expect(agent.tasks.running).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('D19: the grace period is not cut short: a run that needs 2,999 ms can still publish its end', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }], {
      cancel: [
        { do: 'call', run: ({ clock }) => new Promise((resolve) => clock.after(2_999, resolve)) },
        { do: 'canceled', text: 'cleaned up' },
      ],
    });
    const { caller, clock, id } = await running(executor);
    const answer = follow(caller.cancel(id));
    await clock.tick(2_998);
    expect(answer.isSettled).toBe(false);
    await clock.tick(1);
    expect((await answer.outcome).status.message?.parts).toEqual([{ text: 'cleaned up' }]);
  });

  test('D19: CANCELED waits for a run that needs time to unwind, and the task has the events that it publishes meanwhile', async () => {
    const { caller, clock, id } = await running({
      async execute(context, events) {
        await events.working();
        await whenAborted(context).catch(() => {});
        await new Promise<void>((resolve) => context.clock.after(1_000, resolve));
        await events.appendText('partial', 'what I had');
      },
    });
    const answer = follow(caller.cancel(id));
    await clock.tick(999);
    expect(answer.isSettled).toBe(false);
    await clock.tick(1);
    expect(await answer.outcome).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
      artifacts: [{ parts: [{ text: 'what I had' }] }],
    });
  });

  test('D19: a run that completes first wins, and the cancel returns the completed task', async () => {
    const { caller, id } = await running({
      async execute(context, events) {
        await events.working();
        await whenAborted(context).catch(() => {});
        await events.complete('I was done anyway');
      },
    });
    const task = await caller.cancel(id);
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'I was done anyway' }] } });
    expect(await refusal(caller.cancel(id))).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
  });

  test('D19: events that an executor publishes after the framework ended its task change nothing', async () => {
    const free = gate();
    const late: unknown[] = [];
    const { agent, caller, clock, id, store } = await running({
      async execute(_context, events) {
        await events.working();
        await free.passed;
        await events.complete().catch((error) => late.push(error.reason));
        await events.appendText('a', 'x').catch((error) => late.push(error.reason));
      },
    });
    const answer = caller.cancel(id);
    await clock.tick(3_000);
    const canceled = await answer;
    free.open();
    await clock.tick();
    expect(await caller.get(id)).toEqual(canceled);
    expect(late).toEqual(['INVALID_AGENT_RESPONSE', 'INVALID_AGENT_RESPONSE']);
    expect((await storyOf(store, refOf(id))).at(-1)).toBe('status:CANCELED');
    expect(agent.tasks.running).toEqual([]);
  });
});
