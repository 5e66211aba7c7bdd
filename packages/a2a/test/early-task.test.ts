/** The Task of a run that publishes nothing for a while: when it is created, and how the executor's first event changes it. */
import { describe, expect, test } from 'vitest';
import { A2AError, type Clock, type Task } from '../src/index.js';
import {
  type AgentExecutor,
  type AgentOptions,
  createAgent,
  type Execute,
  memoryStore,
  type RequestContext,
  type TaskEvents,
  type TaskStore,
} from '../src/server/index.js';
import { type ManualClock, manualClock } from '../src/testing/index.js';
import { pause } from '../src/testing/pause.js';
import { callerOf, gate, say } from './harness.js';
import { follow, hashed, inboxOf, logOf, quiet, refOf, refusal, storyOf, until, untilIdle } from './looking.js';
import { cluster, LEASE_MS } from './nodes.js';

const later = ({ clock, signal }: RequestContext, ms: number): Promise<void> => pause(clock, ms, signal);

type Form = Pick<AgentOptions, 'execute' | 'executor'>;

/** Each form works for 4 s in silence, then answers 'done'. */
const FORMS: Readonly<Record<string, Form>> = {
  'a function': {
    async execute(context) {
      await later(context, 4_000);
      return 'done';
    },
  },
  'a generator': {
    async *execute(context) {
      await later(context, 4_000);
      yield 'done';
    },
  },
  'an executor': {
    executor: {
      async execute(context, events) {
        await later(context, 4_000);
        await events.working();
        await events.appendText('answer', 'done');
        await events.complete();
      },
    },
  },
};

interface Warning {
  readonly text: string;
}

function world(form: Form, options: Partial<AgentOptions> = {}) {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const errors: A2AError[] = [];
  const warnings: Warning[] = [];
  const line = (_: object, text: string): void => void warnings.push({ text });
  const logger = { debug: () => {}, info: () => {}, warn: line, error: line };
  const ids = { taskId: () => 'the-task' };
  const onError = (error: A2AError): void => void errors.push(error);
  const agent = createAgent({ name: 'Slow', clock, store, ids, logger, onError, ...form, ...options } as AgentOptions);
  const story = () => storyOf(store, refOf('the-task'));
  return { agent, caller: callerOf(agent), clock, errors, store, story, warnings };
}

/** A run whose executor waits `ms` in silence and then calls `run`. */
function after(ms: number, run: NonNullable<AgentExecutor['execute']>, options: Partial<AgentOptions> = {}) {
  const executor: AgentExecutor = {
    async execute(context, events) {
      await later(context, ms);
      await run(context, events);
    },
  };
  return world({ executor }, options);
}

const failureOf = ({ status }: Task): unknown => status.message?.metadata?.['urn:parley:a2a:error'];

/** The result of a blocking send after the clock has advanced by `ms`. */
async function answerAfter(ms: number, { caller, clock }: { caller: ReturnType<typeof callerOf>; clock: ManualClock }) {
  const sent = caller.send('go');
  sent.catch(() => {});
  await clock.tick(ms);
  return sent;
}

describe('D43: a run that publishes nothing for taskAfterMs gets its Task', () => {
  test.each(Object.entries(FORMS))(
    'D43, F2: %s that is silent for 4 s: returnImmediately returns the Task after 100 ms',
    async (_name, form) => {
      const { agent, caller, clock, story } = world(form);
      const sent = follow(caller.task('go', { returnImmediately: true }));
      await clock.tick(99);
      expect([sent.isSettled, (await caller.list()).totalSize]).toEqual([false, 0]);
      await clock.tick(1);
      expect(sent.isSettled).toBe(true);
      const task = await sent.outcome;
      expect(task).toMatchObject({ id: 'the-task', status: { state: 'TASK_STATE_SUBMITTED' }, history: [{ parts: [{ text: 'go' }] }] });
      expect((await caller.list()).tasks.map(({ id }) => id)).toEqual(['the-task']);
      await clock.tick(4_000);
      await untilIdle(agent);
      expect(await caller.get('the-task')).toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'answer', parts: [{ text: 'done' }] }],
      });
      expect(await story(), 'the same log as for a fast answer').toEqual([
        'input:turn',
        'task:SUBMITTED',
        'status:WORKING',
        'artifact',
        'status:COMPLETED',
      ]);
      expect(clock.pending).toBe(0);
    },
  );

  test.each(Object.entries(FORMS))(
    'D43, F2: %s that is silent for 4 s: a stream starts early, a blocking send waits',
    async (_name, form) => {
      const { caller, clock } = world(form, { ids: {} });
      const opened = follow(caller.stream('go'));
      const blocked = follow(caller.task('go'));
      await clock.tick(100);
      expect([opened.isSettled, blocked.isSettled]).toEqual([true, false]);
      const reader = await opened.outcome;
      await reader.until(1);
      expect(reader.states).toEqual(['SUBMITTED']);
      await clock.tick(4_000);
      await reader.all();
      expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
      expect((await blocked.outcome).status.state).toBe('TASK_STATE_COMPLETED');
    },
  );

  test('D43: a run that returns at the instant of the timer decides itself between a Message and a Task', async () => {
    const { caller, clock, store } = after(100, (_, events) => events.reply('in time'));
    const { message } = await answerAfter(100, { caller, clock });
    expect(message?.parts).toEqual([{ text: 'in time' }]);
    expect((await caller.list()).totalSize).toBe(0);
    expect(await store.load(refOf('the-task'))).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  test('D43: a Message before taskAfterMs is the answer: no Task is created while execute continues', async () => {
    const { caller, clock } = world({
      executor: {
        async execute(context, events) {
          await events.reply('hello');
          await later(context, 1_000);
        },
      },
    });
    expect((await answerAfter(1_000, { caller, clock })).message?.parts).toEqual([{ text: 'hello' }]);
    expect((await caller.list()).totalSize).toBe(0);
  });

  test('D43: 0 creates the Task at once, Infinity never, and any other number after that time', async () => {
    for (const [taskAfterMs, waitMs] of [
      [0, 0],
      [1, 1],
      [2_500, 2_500],
    ] as const) {
      const { caller, clock } = after(4_000, (_, events) => events.complete(), { taskAfterMs });
      const sent = follow(caller.task('go', { returnImmediately: true }));
      if (waitMs > 0) await clock.tick(waitMs - 1);
      expect(sent.isSettled).toBe(false);
      await clock.tick(Math.min(1, waitMs));
      expect(sent.isSettled).toBe(true);
    }
    const { caller, clock } = after(3_600_000 - 1, (_, events) => events.reply('late'), { taskAfterMs: Number.POSITIVE_INFINITY });
    expect((await answerAfter(3_600_000 - 1, { caller, clock })).message?.parts).toEqual([{ text: 'late' }]);
  });

  test.each([-1, Number.NaN, '100', null])('D43: createAgent refuses taskAfterMs: %j', (taskAfterMs) => {
    const options = { name: 'x', execute: () => 'x', taskAfterMs: taskAfterMs as number };
    expect(() => createAgent(options)).toThrow(/taskAfterMs must be a number of at least 0, or Infinity/);
  });

  test('D43: a run that ends before the next event loop iteration sets no timer', async () => {
    const clock = manualClock();
    let timers = 0;
    const counting: Clock = {
      ...clock,
      after(...timer) {
        timers += 1;
        return clock.after(...timer);
      },
    };
    const caller = callerOf(createAgent({ name: 'Quick', clock: counting, execute: ({ text }) => text }));
    await caller.task('first'); // starts the node
    const before = timers;
    for (let n = 0; n < 20; n += 1) await caller.task('go');
    expect(timers).toBe(before);
  });

  test('D43: with serialize: context, the time in which a run waits for another does not count', async () => {
    let calls = 0;
    const { caller, clock } = after(1_000, (_, events) => events.complete(), {
      serialize: 'context',
      ids: {
        taskId: () => {
          calls += 1;
          return `t-${calls}`;
        },
      },
    });
    const first = follow(caller.task(say('a', { contextId: 'c' }), { returnImmediately: true }));
    const second = follow(caller.task(say('b', { contextId: 'c' }), { returnImmediately: true }));
    await clock.tick(1_000);
    expect([first.isSettled, second.isSettled]).toEqual([true, false]);
    await clock.tick(100);
    expect((await second.outcome).id).toBe('t-2');
    await clock.tick(1_000);
  });
});

describe('D43: the first event after a provisional Task', () => {
  test('D43: a Message after 101 ms becomes the message of the COMPLETED status', async () => {
    const { agent, caller, clock, errors, story } = after(101, (_, events) => events.reply([{ text: 'hello' }]));
    const { task } = await answerAfter(101, { caller, clock });
    expect(task?.status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { role: 'ROLE_AGENT', parts: [{ text: 'hello' }], taskId: 'the-task' },
    });
    expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:COMPLETED']);
    await untilIdle(agent);
    expect(errors).toEqual([]);
  });

  test('D43: a Message that a function returns or that is published raw becomes the message of the COMPLETED status', async () => {
    const reply = { messageId: 'r', role: 'ROLE_AGENT', parts: [{ text: 'hello' }] } as const;
    const raw = after(150, (_, events) => events.publish(reply));
    const returned = world({
      async execute(context) {
        await later(context, 150);
        return reply;
      },
    });
    for (const { caller, clock } of [raw, returned]) {
      const { task } = await answerAfter(150, { caller, clock });
      expect(task?.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { messageId: 'r', parts: reply.parts } });
    }
  });

  test('D43: the first of two Messages is kept, and onError gets an error for the second', async () => {
    const { caller, clock, errors } = after(150, async (_, events) => {
      await events.reply('one');
      await events.reply('two');
    });
    const { task } = await answerAfter(150, { caller, clock });
    expect(task?.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'one' }] } });
    await quiet();
    expect(errors).toHaveLength(1);
  });

  test('D43: a raw Task is merged: status, artifacts, metadata and history, without a warning', async () => {
    const said = { messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ text: 'before' }] } as const;
    const older = { messageId: 'u-0', role: 'ROLE_USER', parts: [{ text: 'long ago' }] } as const;
    const { agent, caller, clock, errors, store, warnings } = after(150, async ({ taskId, contextId, message }, events) => {
      await events.publish({
        id: taskId,
        contextId,
        status: { state: 'TASK_STATE_WORKING', message: { messageId: 'a-2', role: 'ROLE_AGENT', parts: [{ text: 'at work' }] } },
        artifacts: [{ artifactId: 'x', parts: [{ text: 'half' }] }],
        metadata: { colour: 'blue' },
        history: [older, said, ...(message ? [message] : [])],
      });
      await events.appendText('x', ' and more');
      await events.complete();
    });
    const opened = follow(caller.stream('go'));
    await clock.tick(150);
    const reader = await opened.outcome;
    await reader.all();
    await untilIdle(agent);
    const task = await caller.get('the-task');
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, metadata: { colour: 'blue' } });
    expect(task.artifacts).toEqual([{ artifactId: 'x', parts: [{ text: 'half and more' }] }]);
    expect(task.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'long ago', 'before', 'at work']);
    expect(reader.states).toEqual(['SUBMITTED', 'SUBMITTED', 'WORKING', 'COMPLETED']);
    expect(reader.text).toBe('half and more');
    expect([warnings, errors]).toEqual([[], []]);
    const texts = await store.conversation({ agent: '', tenant: '', owner: '', contextId: task.contextId ?? '' }, 10);
    expect(texts.map((text) => JSON.parse(text).messageId)).toContain('u-0');
  });

  test.each(['TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_REJECTED'] as const)(
    'D43: a raw Task that is %s ends the send, with its artifacts before its status',
    async (state) => {
      const { caller, clock, warnings } = after(150, ({ taskId, contextId }, events) =>
        events.publish({ id: taskId, contextId, status: { state }, artifacts: [{ artifactId: 'x', parts: [{ text: 'all' }] }] }),
      );
      const { task } = await answerAfter(150, { caller, clock });
      expect(task).toMatchObject({ status: { state }, artifacts: [{ artifactId: 'x' }] });
      expect(warnings).toEqual([]);
    },
  );

  test('D43: a Task without changes adds no event, and a second Task is ignored with a warning', async () => {
    const { caller, clock, story, warnings } = after(150, async ({ taskId, contextId }, events) => {
      expect(events.state).toBeUndefined();
      const task: Task = { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } };
      await events.publish(task);
      expect(events.state).toBe('TASK_STATE_SUBMITTED');
      await events.publish(task);
      await events.complete();
    });
    await answerAfter(150, { caller, clock });
    expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:COMPLETED']);
    expect(warnings).toEqual([{ text: 'a second Task was published; it is ignored' }]);
  });

  test('D43: events.task() sets the metadata, and an illegal or too large Task fails the provisional one', async () => {
    const named = after(150, async (_, events) => {
      await events.task({ metadata: { colour: 'blue' } });
      await events.complete();
    });
    expect((await answerAfter(150, named)).task).toMatchObject({ metadata: { colour: 'blue' }, status: { state: 'TASK_STATE_COMPLETED' } });
    const foreign = after(150, (_, events) => events.publish({ id: 'another', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }));
    const { task } = await answerAfter(150, foreign);
    expect(task?.status.state).toBe('TASK_STATE_FAILED');
    const huge = after(
      150,
      ({ taskId, contextId }, events) =>
        events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, metadata: { x: 'x'.repeat(2_000) } }),
      { maxEventBytes: 1_000 },
    );
    const { task: tooLarge } = await answerAfter(150, huge);
    expect(tooLarge && failureOf(tooLarge)).toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
  });

  test('D43: more artifacts than maxPendingEvents are merged in order', async () => {
    const artifacts = Array.from({ length: 1_000 }, (_, n) => ({ artifactId: `a-${n}`, parts: [{ text: `${n}` }] }));
    const { caller, clock } = after(
      150,
      ({ taskId, contextId }, events) => events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' }, artifacts }),
      { maxPendingEvents: 10 },
    );
    const { task } = await answerAfter(150, { caller, clock });
    expect(task?.artifacts?.map(({ artifactId }) => artifactId)).toEqual(artifacts.map(({ artifactId }) => artifactId));
  });

  test.each(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'] as const)(
    'D43, P21: a raw status update %s without a Task is refused after 150 ms, as it is at the start',
    async (state) => {
      const status = ({ taskId, contextId }: RequestContext, events: TaskEvents) =>
        events.publish({ taskId, contextId, status: { state } });
      expect(await refusal(answerAfter(0, after(0, status)))).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
      const late = after(150, status);
      const { task } = await answerAfter(150, late);
      expect(task?.status.state).toBe('TASK_STATE_FAILED');
      expect(task && failureOf(task)).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
      expect(await late.story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:FAILED']);
      expect(late.errors).toHaveLength(1);
    },
  );

  test('D43, P21: a raw artifact update without a Task is legal after 150 ms, as it is at the start', async () => {
    for (const ms of [0, 150]) {
      const { caller, clock, errors, story } = after(ms, async ({ taskId, contextId }, events) => {
        await events.publish({ taskId, contextId, artifact: { artifactId: 'x', parts: [{ text: 'x' }] } });
        await events.publish({ taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } });
      });
      await answerAfter(ms, { caller, clock });
      expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'artifact', 'status:COMPLETED']);
      expect(errors).toEqual([]);
    }
  });

  test('D43: a history message that is also the status message is one event', async () => {
    const said = { messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ text: 'said once' }] } as const;
    const { caller, clock } = after(150, async ({ taskId, contextId, message }, events) => {
      const history = [...(message ? [message] : []), said];
      await events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING', message: said }, history });
      await events.complete();
    });
    const opened = follow(caller.stream('go'));
    await clock.tick(150);
    const reader = await opened.outcome;
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
    expect((await caller.get('the-task')).history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'said once']);
  });

  test('D43: input entries of a merged history do not repeat the metadata and claims of the request', async () => {
    const history = Array.from({ length: 20 }, (_, n) => say(`old ${n}`));
    const { agent, clock, store } = after(150, ({ taskId, contextId }, events) =>
      events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' }, history }),
    );
    const caller = callerOf(agent, { id: '', claims: { large: 'c'.repeat(1_000) } });
    const sent = caller.value('SendMessage', { message: say('go'), metadata: { large: 'm'.repeat(1_000) } });
    await clock.tick(150);
    await sent;
    await untilIdle(agent);
    const inputs = (await logOf(store, refOf('the-task'))).filter(({ kind }) => kind === 'input');
    expect(inputs).toHaveLength(21);
    expect(Math.max(...inputs.slice(1).map(({ json }) => json.length))).toBeLessThan(1_000);
    expect((await caller.get('the-task')).history).toHaveLength(21);
  });

  test.each([10, 1_000])('D43: a merged Task is one commit, with a limit of %i pending events', async (maxPendingEvents) => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const commits: string[][] = [];
    const watched: TaskStore = {
      ...store,
      async commit(writes) {
        commits.push(writes.flatMap(({ entries }) => entries.map(({ kind }) => kind)));
        return store.commit(writes);
      },
    };
    const artifacts = Array.from({ length: 50 }, (_, n) => ({ artifactId: `a-${n}`, parts: [{ text: `${n}` }] }));
    const { caller } = after(
      150,
      ({ taskId, contextId }, events) => events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' }, artifacts }),
      { maxPendingEvents, clock, store: watched },
    );
    expect((await answerAfter(150, { caller, clock })).task?.artifacts).toHaveLength(50);
    expect(commits).toEqual([
      ['input', 'task'],
      [...artifacts.map(() => 'artifact'), 'status'],
    ]);
  });

  test('D43: a question is asked in the provisional Task', async () => {
    const { caller, clock, story } = after(150, async (context, events) => events.complete(await context.requireInput('Which?')));
    const { task } = await answerAfter(150, { caller, clock });
    expect(task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = caller.task(say('this', { taskId: 'the-task' }));
    await clock.tick(1);
    expect((await done).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await story()).slice(0, 4)).toEqual(['input:turn', 'task:SUBMITTED', 'note:asked', 'status:INPUT_REQUIRED']);
  });

  test('D43: a retryable A2AError at 150 ms makes the Task FAILED, with its reason and retryAfterMs', async () => {
    const { caller, clock, errors } = after(150, () => {
      throw new A2AError('RATE_LIMITED', 'come back later', { retryAfterMs: 7_000 });
    });
    const { task } = await answerAfter(150, { caller, clock });
    expect(task?.status).toMatchObject({ state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'come back later' }] } });
    expect(task && failureOf(task)).toMatchObject({ reason: 'RATE_LIMITED', retryable: true, retryAfterMs: 7_000, unpublished: true });
    expect(errors).toEqual([]);
  });

  test('D43: only a failure before the first event has `unpublished`', async () => {
    const { caller, clock } = after(150, async (_, events) => {
      await events.working();
      throw new A2AError('RATE_LIMITED', 'come back later');
    });
    const { task } = await answerAfter(150, { caller, clock });
    expect(task && failureOf(task)).not.toHaveProperty('unpublished');
  });

  test('D43: a crash, a timeout and a run that returns without an answer make the Task FAILED', async () => {
    const crash = after(150, () => {
      throw new Error('password is hunter2');
    });
    const { task: crashed } = await answerAfter(150, crash);
    expect(crashed && failureOf(crashed)).toMatchObject({ reason: 'INTERNAL_ERROR', unpublished: true });
    expect(JSON.stringify(crashed)).not.toContain('hunter2');
    expect(crash.errors).toHaveLength(1);
    const { task: late } = await answerAfter(
      5_000,
      after(10_000, () => {}, { maxRunMs: 5_000 }),
    );
    expect(late && failureOf(late)).toMatchObject({ reason: 'TASK_TIMEOUT', unpublished: true });
    for (const onIncomplete of ['fail', 'keep'] as const) {
      const { task: empty } = await answerAfter(
        150,
        after(150, () => {}, { onIncomplete }),
      );
      expect(empty && failureOf(empty)).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE', unpublished: true });
    }
  });
});

describe('D43: cancel, recovery and drain of a provisional Task', () => {
  test('D43: at 50 ms there is no task to cancel; at 150 ms a cancel ends it', async () => {
    const cancels: RequestContext[] = [];
    const silent: AgentExecutor = { execute: (context) => later(context, 60_000), cancel: async (context) => void cancels.push(context) };
    const { agent, caller, clock, store, story } = world({ executor: silent });
    const sent = follow(caller.task('go'));
    await clock.tick(50);
    expect(await refusal(caller.cancel('the-task'))).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    await clock.tick(100);
    const canceled = caller.cancel('the-task');
    await clock.tick();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    expect((await sent.outcome).status.state).toBe('TASK_STATE_CANCELED');
    expect(cancels.map(({ taskId }) => taskId)).toEqual(['the-task']);
    expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:CANCELED']);
    expect((await inboxOf(store, refOf('the-task'))).map(({ state }) => state)).toEqual(['taken']);
    expect([agent.tasks.running, clock.pending]).toEqual([[], 0]);
  });

  const inCancel = async (cancel: NonNullable<AgentExecutor['cancel']>) => {
    const silent = world({ executor: { execute: (context) => later(context, 60_000), cancel } });
    void silent.caller.task('go').catch(() => {});
    await silent.clock.tick(150);
    const canceling = silent.caller.cancel('the-task');
    await silent.clock.tick();
    return { ...silent, task: await canceling };
  };

  test('D43, F8: a reply inside cancel() is refused and reported, and the task is CANCELED', async () => {
    const raw = { messageId: 'r', role: 'ROLE_AGENT', parts: [{ text: 'hello' }] } as const;
    for (const reply of [
      (_: RequestContext, events: TaskEvents) => events.reply('hello'),
      (_: RequestContext, events: TaskEvents) => events.publish(raw),
    ]) {
      const { task, errors, story } = await inCancel(reply);
      expect(task.status.state).toBe('TASK_STATE_CANCELED');
      expect(errors.map(({ reason }) => reason)).toEqual(['INVALID_AGENT_RESPONSE']);
      expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:CANCELED']);
    }
  });

  test('D43: a raw status update inside cancel() is legal, because there is a Task', async () => {
    const { task, errors } = await inCancel(({ taskId, contextId }, events) =>
      events.publish({ taskId, contextId, status: { state: 'TASK_STATE_CANCELED' }, metadata: { by: 'cancel' } }),
    );
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' }, metadata: { by: 'cancel' } });
    expect(errors).toEqual([]);
  });

  test('D43: a run that ignores its signal and answers after the cancel changes nothing', async () => {
    const { caller, clock, errors, story } = world({
      executor: {
        async execute({ clock: time }, events) {
          await new Promise<void>((resolve) => void time.after(10_000, resolve));
          await events.reply('too late');
        },
      },
    });
    const sent = caller.task('go');
    await clock.tick(150);
    const canceled = caller.cancel('the-task');
    await clock.tick(3_000);
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    await clock.tick(10_000);
    expect(await sent).toEqual(await canceled);
    expect((await story()).at(-1)).toBe('status:CANCELED');
    expect(errors).toEqual([]);
  });

  /** A node that dies while its run is silent. The Task was created early. */
  async function afterDeath(options: Partial<AgentOptions> = {}) {
    const nodes = cluster();
    const clock = manualClock();
    const first = nodes.start({ clock, executor: { execute: (context) => later(context, 60_000) }, ...options });
    const starting = first.caller.send(say('go', { messageId: 'm' }), { returnImmediately: true }, { idempotencyKey: 'k' });
    await hashed();
    await clock.tick(100);
    const { task } = await starting;
    await nodes.crash(first);
    return { ...nodes, id: task?.id ?? '' };
  }

  test('D43: after a crash the next node restarts the turn, and its Task is still provisional', async () => {
    const { start, store, id } = await afterDeath({ recovery: 'restart' });
    const attempts: number[] = [];
    const next = start({
      recovery: 'restart',
      executor: {
        async execute({ attempt }, events) {
          attempts.push(attempt);
          await events.reply('on the second try');
        },
      },
    });
    await until(() => attempts.length > 0);
    await untilIdle(next.agent);
    expect(attempts).toEqual([2]);
    expect((await next.caller.get(id)).status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [{ text: 'on the second try' }] },
    });
    expect(await storyOf(store, refOf(id))).toEqual(['input:turn', 'task:SUBMITTED', 'note:attempt', 'status:COMPLETED']);
  });

  test('D43: a failure of the second run has no `unpublished`, because the first run may have done work', async () => {
    const { start, id } = await afterDeath({ recovery: 'restart' });
    const next = start({
      recovery: 'restart',
      executor: {
        execute: () => {
          throw new A2AError('RATE_LIMITED', 'come back later');
        },
      },
    });
    const isFailed = async (): Promise<boolean> => (await next.caller.get(id)).status.state === 'TASK_STATE_FAILED';
    while (!(await isFailed())) await quiet();
    const task = await next.caller.get(id);
    expect(failureOf(task)).toMatchObject({ reason: 'RATE_LIMITED' });
    expect(failureOf(task)).not.toHaveProperty('unpublished');
  });

  test('D43: after that crash, the same send with its key returns the same task and starts no second run', async () => {
    const { start, id } = await afterDeath();
    let runs = 0;
    const next = start({
      execute: () => {
        runs += 1;
      },
    });
    await quiet();
    const { task } = await next.caller.send(say('go', { messageId: 'm' }), { returnImmediately: true }, { idempotencyKey: 'k' });
    expect([task?.id, task?.status.state, runs]).toEqual([id, 'TASK_STATE_FAILED', 0]);
    expect(task && failureOf(task)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', why: 'crash' });
    expect(task && failureOf(task), 'the first run may have done work').not.toHaveProperty('unpublished');
  });

  test('D43: a Task that the executor created is not provisional after a crash', async () => {
    const nodes = cluster();
    const first = nodes.start({
      recovery: 'restart',
      executor: {
        async execute(context, events) {
          await events.task();
          await events.flush();
          await later(context, 60_000);
        },
      },
    });
    const { id } = await first.caller.task('go', { returnImmediately: true });
    await nodes.crash(first);
    const next = nodes.start({ recovery: 'restart', executor: { execute: (_, events) => events.reply('no') } });
    await until(() => next.errors.length > 0);
    await untilIdle(next.agent);
    expect((await next.caller.get(id)).status.state).toBe('TASK_STATE_FAILED');
  });

  test('D43: a shutdown ends the Task with a retryable failure, or hands it over', async () => {
    const silent: AgentExecutor = { execute: (context) => later(context, 60_000).catch(() => {}) };
    const nodes = cluster();
    const clock = manualClock();
    const ended = nodes.start({ clock, executor: silent });
    const sent = ended.caller.task('go', { returnImmediately: true });
    await clock.tick(150);
    const closed = ended.agent.close({ drainMs: 1_000 });
    await clock.tick(1_000);
    await closed;
    const last = (await logOf(nodes.store, refOf((await sent).id))).at(-1);
    const { statusUpdate } = JSON.parse(last?.json ?? '{}');
    expect(failureOf(statusUpdate)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', why: 'shutdown', unpublished: true });

    const first = nodes.start({ clock, recovery: 'restart', executor: silent });
    const starting = first.caller.task('go', { returnImmediately: true });
    await clock.tick(150);
    const { id } = await starting;
    const handedOver = first.agent.close({ drainMs: 10 });
    await clock.tick(10);
    await handedOver;
    const next = nodes.start({ recovery: 'restart', executor: { execute: (_, events) => events.reply('taken over') } });
    await nodes.clock.tick(LEASE_MS);
    await until(() => next.agent.tasks.running.length === 0);
    await quiet();
    expect(await storyOf(nodes.store, refOf(id))).toEqual([
      'input:turn',
      'task:SUBMITTED',
      'note:handed-over',
      'note:attempt',
      'status:COMPLETED',
    ]);
  });

  test('D43: runs with a provisional Task count toward the limit as before', async () => {
    const { caller, clock } = after(1_000, (_, events) => events.complete(), { maxRunningTasks: 1 });
    const sent = caller.task('go');
    await clock.tick(150);
    expect(await refusal(caller.send('one more'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    await clock.tick(1_000);
    expect((await sent).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('F7: cancel() of a task without a live run', () => {
  const job: Execute = (_, events) => events.working('started elsewhere');

  test.each(['a task that was kept WORKING', 'a task that asks for input'])(
    'F7: %s: cancel() is called once, then the task is CANCELED',
    async (name) => {
      const cancels: { context: RequestContext; aborted: boolean }[] = [];
      const asks = name.includes('asks');
      const { agent, caller, clock, story } = world(
        {
          executor: {
            execute: (_, events) => (asks ? events.status('TASK_STATE_INPUT_REQUIRED', 'well?') : events.working('started elsewhere')),
            cancel: async (context) => void cancels.push({ context, aborted: context.signal.aborted }),
          },
        },
        { onIncomplete: 'keep' },
      );
      const sent = caller.send(say('go', { metadata: { job: 7 } }));
      await clock.tick();
      await sent;
      expect(agent.tasks.running).toEqual([]);
      const canceling = caller.value('CancelTask', { id: 'the-task', metadata: { why: 'enough' } });
      await clock.tick();
      expect((await canceling).status.state).toBe('TASK_STATE_CANCELED');
      expect(cancels).toHaveLength(1);
      const [{ context, aborted } = { context: undefined, aborted: false }] = cancels;
      expect(aborted).toBe(true);
      expect(context).toMatchObject({ taskId: 'the-task', metadata: { why: 'enough' }, caller: { id: '' }, attempt: 1 });
      expect(context?.currentTask?.status.state).toBe(asks ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_WORKING');
      expect(context?.message).toBeUndefined();
      expect((await story()).at(-1)).toBe('status:CANCELED');
      expect(clock.pending).toBe(0);
    },
  );

  test('F7: a cancel() that hangs gets 3 s, and the final status that cancel() publishes is used', async () => {
    const hung = world(
      { executor: { execute: async (_, events) => events.working(), cancel: () => new Promise(() => {}) } },
      { onIncomplete: 'keep' },
    );
    await answerAfter(0, hung);
    const waiting = follow(hung.caller.cancel('the-task'));
    await hung.clock.tick(2_999);
    expect(waiting.isSettled).toBe(false);
    await hung.clock.tick(1);
    expect((await waiting.outcome).status.state).toBe('TASK_STATE_CANCELED');

    const told = world(
      {
        executor: { execute: async (_, events) => events.working(), cancel: (_, events) => events.canceled('the job is stopped') },
      },
      { onIncomplete: 'keep' },
    );
    await answerAfter(0, told);
    const canceled = told.caller.cancel('the-task');
    await told.clock.tick();
    expect((await canceled).status.message?.parts).toEqual([{ text: 'the job is stopped' }]);
  });

  test('F7, F8: if cancel() throws, the task is CANCELED, and onError is called once', async () => {
    const thrown = world(
      {
        executor: {
          execute: async (_, events) => events.working(),
          cancel: () => {
            throw new Error('no');
          },
        },
      },
      { onIncomplete: 'keep' },
    );
    await answerAfter(0, thrown);
    const canceled = thrown.caller.cancel('the-task');
    await thrown.clock.tick();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    expect(thrown.errors.map(({ cause }) => (cause instanceof Error ? cause.message : cause))).toEqual(['no']);
  });

  test('F7: artifacts of cancel() do not replace artifacts of the run', async () => {
    const { caller, clock } = world(
      {
        executor: {
          async execute(_, events) {
            await events.data('of the run');
            await events.working();
          },
          async cancel(_, events) {
            await events.data('of cancel, one');
            await events.data('of cancel, two');
          },
        },
      },
      { onIncomplete: 'keep' },
    );
    await answerAfter(0, { caller, clock });
    const canceling = caller.cancel('the-task');
    await clock.tick();
    const { status, artifacts } = await canceling;
    expect(status.state).toBe('TASK_STATE_CANCELED');
    expect(artifacts?.map(({ parts }) => parts[0]?.data)).toEqual(['of the run', 'of cancel, one', 'of cancel, two']);
  });

  test.each(['while its end is being committed', 'after its end was committed'])(
    'F7: cancel() does not run for a task that ended: %s',
    async (when) => {
      const [end, mail, work] = [gate(), gate(), gate()];
      const clock = manualClock();
      const store = memoryStore({ clock });
      const isEnd = (writes: Parameters<TaskStore['commit']>[0]): boolean =>
        writes.some(({ head }) => head?.state === 'TASK_STATE_COMPLETED');
      const slow: TaskStore = {
        ...store,
        async commit(writes) {
          if (isEnd(writes)) await end.passed;
          return store.commit(writes);
        },
        async inbox(...asked) {
          await mail.passed;
          return store.inbox(...asked);
        },
      };
      let cancels = 0;
      const executor: AgentExecutor = {
        async execute(_, events) {
          await events.working();
          await work.passed;
          await events.complete('done');
        },
        async cancel() {
          cancels += 1;
        },
      };
      const { caller } = world({ executor }, { clock, store: slow });
      const sent = follow(caller.task('go', { returnImmediately: true }));
      await clock.tick();
      const canceling = follow(caller.cancel('the-task'));
      await clock.tick();
      const gates = when.startsWith('while') ? [work, mail, end] : [work, end, mail];
      for (const { open } of gates) {
        open();
        await clock.tick();
        await quiet();
      }
      expect(sent.isSettled).toBe(true);
      expect((await canceling.outcome).status.state).toBe('TASK_STATE_COMPLETED');
      expect(cancels).toBe(0);
    },
  );

  test('F7: without cancel() the task is CANCELED at once', async () => {
    const kept = world({ executor: { execute: async (context, events) => void (await job(context, events)) } }, { onIncomplete: 'keep' });
    await answerAfter(0, kept);
    const canceled = follow(kept.caller.cancel('the-task'));
    await kept.clock.tick();
    expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('F9: an event after the end', () => {
  test('F9: an appendText after complete() that is not awaited is reported to onError once per run', async () => {
    const { caller, clock, errors, story } = world({
      async execute(_, events) {
        await events.complete();
        for (let n = 0; n < 5; n += 1) void events.appendText('a', 'too late');
      },
    });
    const { task } = await answerAfter(0, { caller, clock });
    expect(task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(errors.map(({ reason, message }) => [reason, message])).toEqual([
      ['INVALID_AGENT_RESPONSE', 'task the-task has ended; no more events can be published'],
    ]);
    expect((await story()).at(-1)).toBe('status:COMPLETED');
  });

  test('F9: an event after execute has returned is reported to onError once per run', async () => {
    const on = gate();
    const { caller, clock, errors } = world({
      async execute(_, events) {
        void on.passed.then(() => {
          for (let n = 0; n < 5; n += 1) void events.appendText('a', 'too late');
        });
        return 'done';
      },
    });
    await answerAfter(0, { caller, clock });
    on.open();
    await quiet();
    expect(errors.map(({ message }) => message)).toEqual(['execute has returned; no more events can be published']);
  });

  test('F9: events of a canceled run that continues are not reported', async () => {
    const { caller, clock, errors } = world({
      async execute({ clock: time }, events) {
        await events.working();
        for (;;) {
          void events.appendText('a', 'x');
          await new Promise<void>((resolve) => void time.after(100, resolve));
        }
      },
    });
    const sent = caller.task('go');
    await clock.tick(150);
    const canceled = caller.cancel('the-task');
    await clock.tick(5_000);
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    expect((await sent).status.state).toBe('TASK_STATE_CANCELED');
    expect(errors).toEqual([]);
  });
});
