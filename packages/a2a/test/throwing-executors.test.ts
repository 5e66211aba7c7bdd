import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/protocol/errors.js';
import { type AgentExecutor, type AgentOptions, createAgent, memoryStore } from '../src/server/index.js';
import { type FaultPlan, failingStore, manualClock, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, refOf, refusal, storyOf, told, until, untilIdle } from './looking.js';

const SECRET = '/etc/secret: connect ECONNREFUSED postgres://root:hunter2@db at Object.<anonymous> (/srv/app.js:1:1)';
const LEAKS = ['secret', 'hunter2', 'postgres', '/srv', 'app.js', 'ECONNREFUSED', 'node_modules', '.ts:', '    at '];

const agentThat = (execute: AgentExecutor['execute'], options: Partial<AgentOptions> = {}) =>
  createAgent({ name: 'Thrower', executor: { execute }, ...options });

function expectNoLeak(text: string): void {
  for (const leak of LEAKS) expect(text).not.toContain(leak);
}

/** Every kind of value that JavaScript can throw. */
const CRASHES: Record<string, unknown> = {
  'an Error': new Error(SECRET),
  'an Error with a cause': new Error(SECRET, { cause: new Error(SECRET) }),
  'a string': SECRET,
  'an object': { message: SECRET, code: -32001, reason: 'TASK_NOT_FOUND' },
  'a number': 0,
  false: false,
  'an empty string': '',
  null: null,
  undefined: undefined,
  'an AbortError of its own': new DOMException(SECRET, 'AbortError'),
};

describe('P3, P26, C22, B20: an executor that throws a foreign error', () => {
  test.each(Object.entries(CRASHES))(
    'P3, P26: %s after the Task: FAILED in the response, in every stream, and in the store',
    async (_, crash) => {
      const reported: unknown[] = [];
      const joined = gate();
      const agent = agentThat(
        async (_context, events) => {
          await events.working('at first');
          await events.appendText('a', 'kept');
          await events.flush();
          await joined.passed;
          throw crash;
        },
        { onError: ({ cause }) => reported.push(cause) },
      );
      const caller = callerOf(agent);
      const blocking = caller.task('go');
      await until(() => agent.tasks.running.length === 1);
      const id = agent.tasks.running[0]?.taskId ?? '';
      await until(() => agent.tasks.running.length === 1);
      const stream = await caller.stream('go');
      await stream.until(3);
      const subscriber = await caller.subscribe(stream.seen[0]?.task?.id ?? '');
      await subscriber.until(1);
      joined.open();
      const task = await blocking;
      await Promise.all([stream.all(), subscriber.all()]);
      expect(task.id).toBe(id);
      expect(task.status.state).toBe('TASK_STATE_FAILED');
      expect(task.status.message?.metadata).toEqual({
        'urn:parley:a2a:error': { reason: 'INTERNAL_ERROR', code: -32603, retryable: false },
      });
      expect(task.artifacts, 'the earlier artifacts are kept').toMatchObject([{ artifactId: 'a', parts: [{ text: 'kept' }] }]);
      expect(await caller.get(id)).toEqual(task);
      expect(stream.states).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
      expect(subscriber.states).toEqual(['WORKING', 'FAILED']);
      expectNoLeak(JSON.stringify([task, stream.seen, subscriber.seen]));
      expect(reported, 'onError gets the cause').toEqual([crash ?? expect.any(Error), crash ?? expect.any(Error)]);
      await untilIdle(agent);
    },
  );

  test.each(Object.entries(CRASHES))(
    'P26, C22, B20: %s before any event: the call fails without internal text, and nothing is stored',
    async (_, crash) => {
      const reported: unknown[] = [];
      const agent = agentThat(
        async () => {
          throw crash;
        },
        { onError: ({ cause }) => reported.push(cause) },
      );
      const caller = callerOf(agent);
      for (const call of [caller.send('go'), caller.stream('go')]) {
        const error = await refusal(call);
        expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', code: -32603, httpStatus: 500, retryable: false });
        expectNoLeak(told(error));
      }
      expect((await caller.list()).totalSize).toBe(0);
      expect(reported).toEqual([crash ?? expect.any(Error), crash ?? expect.any(Error)]);
      await untilIdle(agent);
    },
  );

  test('P3: a synchronous throw has the same result', async () => {
    const agent = agentThat(() => {
      throw new Error(SECRET);
    });
    expect(await refusal(callerOf(agent).send('go'))).toMatchObject({ reason: 'INTERNAL_ERROR' });
  });

  test('P26: on a continued task a crash before its first event fails the task', async () => {
    const agent = agentThat(async ({ currentTask }, events) => {
      if (currentTask) throw new Error(SECRET);
      await events.status('TASK_STATE_INPUT_REQUIRED');
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const reader = await caller.stream(say('on', { taskId: id }));
    await reader.all();
    expect(reader.states.at(-1)).toBe('FAILED');
    expectNoLeak(JSON.stringify(reader.seen));
  });

  test('P26: all events before the crash are in the log, also those that were not awaited', async () => {
    const agent = agentThat(async (_, events) => {
      for (let n = 0; n < 1_000; n += 1) void events.appendText('a', `${n} `);
      throw new Error(SECRET);
    });
    const { status, artifacts } = await callerOf(agent).task('go');
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(artifacts?.[0]?.parts[0]?.text?.split(' ')).toHaveLength(1_001);
  });

  test('P26: a crash after the end changes nothing for the caller, and is reported', async () => {
    const reported: unknown[] = [];
    const crash = new Error(SECRET);
    const agent = agentThat(
      async (_, events) => {
        await events.complete('done');
        throw crash;
      },
      { onError: ({ cause }) => reported.push(cause) },
    );
    const caller = callerOf(agent);
    const { id, status } = await caller.task('go');
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    await untilIdle(agent);
    await until(() => reported.length > 0);
    expect((await caller.get(id)).status).toEqual(status);
    expect(reported).toEqual([crash]);
  });

  test('C22, B20: an onError that throws, and a logger that gets all details, change nothing for the caller', async () => {
    const lines: string[] = [];
    const ignore = () => {};
    const agent = agentThat(
      async () => {
        throw new Error(SECRET);
      },
      {
        logger: { debug: ignore, info: ignore, warn: ignore, error: (_, text) => void lines.push(text) },
        onError: () => {
          throw new Error('onError is broken');
        },
      },
    );
    const error = await refusal(callerOf(agent).send('go'));
    expect(error.reason).toBe('INTERNAL_ERROR');
    expectNoLeak(told(error));
    expect(lines).toEqual(['The agent failed unexpectedly', 'onError threw']);
  });
});

describe('P3, P26: an executor that throws an A2AError chooses the error of the client', () => {
  const limited = () => new A2AError('RATE_LIMITED', 'Too many trips today', { retryAfterMs: 5_000, cause: new Error(SECRET) });

  test('P3, P26: before any event it is the error of the call, with its retryAfterMs', async () => {
    const agent = agentThat(async () => {
      throw limited();
    });
    for (const call of [callerOf(agent).send('go'), callerOf(agent).stream('go')]) {
      const error = await refusal(call);
      expect(error).toMatchObject({ reason: 'RATE_LIMITED', message: 'Too many trips today', retryable: true, retryAfterMs: 5_000 });
      expectNoLeak(told(error));
    }
    expect((await callerOf(agent).list()).totalSize).toBe(0);
  });

  test.each(['thrown', 'given to fail()'])(
    'P3, P26: after the Task (%s) the FAILED status has its message, its reason and its retryAfterMs',
    async (how) => {
      const agent = agentThat(async (_, events) => {
        await events.working();
        if (how === 'thrown') throw limited();
        await events.fail(limited());
      });
      const { status } = await callerOf(agent).task('go');
      expect(status).toMatchObject({
        state: 'TASK_STATE_FAILED',
        message: {
          role: 'ROLE_AGENT',
          parts: [{ text: 'Too many trips today' }],
          metadata: { 'urn:parley:a2a:error': { reason: 'RATE_LIMITED', code: -31004, retryable: true, retryAfterMs: 5_000 } },
        },
      });
      expectNoLeak(JSON.stringify(status));
    },
  );

  test('P26: a message that is too long is shortened, and the task ends', async () => {
    const agent = agentThat(async (_, events) => {
      await events.working();
      throw new A2AError('RATE_LIMITED', 'blah '.repeat(1_000_000));
    });
    const { status } = await callerOf(agent).task('go');
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message?.parts[0]?.text?.length).toBeLessThan(20_000);
  });

  test('C22, B20: fail() with a foreign error does not send its text', async () => {
    const agent = agentThat((_, events) => events.fail(new Error(SECRET) as never));
    const task = await callerOf(agent).task('go');
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: 'The agent failed unexpectedly' }], metadata: { 'urn:parley:a2a:error': { reason: 'INTERNAL_ERROR' } } },
    });
    expectNoLeak(JSON.stringify(task));
  });
});

describe('P27: the store fails', () => {
  const failing = (plan: FaultPlan, execute: AgentExecutor['execute']) => {
    const inner = memoryStore();
    const reported: A2AError[] = [];
    const agent = agentThat(execute, { store: failingStore(inner, plan), onError: (error) => reported.push(error) });
    return { agent, inner, reported, caller: callerOf(agent) };
  };

  test.each(['obeys its signal', 'ignores its signal'])(
    'P27: readers get a retryable error, and the run is aborted and released (it %s)',
    async (how) => {
      const signals: AbortSignal[] = [];
      const joined = gate();
      const { agent, inner, reported, caller } = failing(
        (commit) => (commit > 1 ? 'before' : undefined),
        async ({ signal }, events) => {
          signals.push(signal);
          await events.working('committed');
          await events.flush();
          await joined.passed;
          void events.working('never committed');
          if (how === 'obeys its signal') await events.flush();
          await new Promise(() => {});
        },
      );
      const blocking = follow(caller.task('go'));
      blocking.outcome.catch(() => {});
      await until(() => signals.length === 1);
      const id = agent.tasks.running[0]?.taskId ?? '';
      const reader = await caller.subscribe(id);
      await reader.until(1);
      joined.open();
      const UNAVAILABLE = { reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 };
      expect(await refusal(blocking.outcome)).toMatchObject(UNAVAILABLE);
      expect(await refusal(reader.all())).toMatchObject(UNAVAILABLE);
      expect(signals[0]?.aborted).toBe(true);
      await untilIdle(agent);
      expect(reported).toEqual([expect.objectContaining({ reason: 'AGENT_UNAVAILABLE', cause: expect.any(Error) })]);
      expect(await storyOf(inner, refOf(id)), 'not a final state: the log is unchanged').toEqual([
        'input:turn',
        'task:SUBMITTED',
        'status:WORKING',
      ]);
      expect((await caller.get(id)).status).toMatchObject({ state: 'TASK_STATE_WORKING', message: { parts: [{ text: 'committed' }] } });
    },
  );

  test.each(['send', 'stream'] as const)(
    'P27: at the first commit it is the error of the call (%s), also if the executor does not stop',
    async (word) => {
      const { agent, caller } = failing({ 1: 'before' }, async (_, events) => {
        void events.working();
        await new Promise(() => {});
      });
      const error = await refusal(caller[word]('go'));
      expect(error).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
      expectNoLeak(told(error));
      expect(told(error)).not.toContain('by plan');
      await untilIdle(agent);
      expect((await caller.list()).totalSize).toBe(0);
    },
  );

  test('P27: other tasks continue', async () => {
    const poisoned = gate();
    const { agent, caller } = failing(
      (_, writes) => (writes.some(({ entries }) => entries.some(({ json }) => json.includes('poison'))) ? 'before' : undefined),
      async ({ text }, events) => {
        await events.working(text);
        if (text === 'patient') await poisoned.passed;
        await events.complete();
      },
    );
    const patient = await caller.stream('patient');
    await patient.until(2);
    expect(await refusal(caller.task('poison'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    poisoned.open();
    await patient.all();
    expect(patient.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
    expect((await caller.task('new')).status.state).toBe('TASK_STATE_COMPLETED');
    await untilIdle(agent);
  });

  test('P27: a commit that was made although it seemed to fail is not repeated, and the run continues', async () => {
    const { inner, reported, caller } = failing({ 1: 'after', 2: 'after' }, async (_, events) => {
      await events.working();
      await events.flush();
      await events.complete();
    });
    const { id, status } = await caller.task('go');
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(await storyOf(inner, refOf(id))).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'status:COMPLETED']);
    expect(reported).toEqual([]);
  });
});

describe('P26: an executor that hangs', () => {
  const hanging = (steps: Parameters<typeof scriptedExecutor>[0]) => {
    const clock = manualClock();
    const executor = scriptedExecutor([...steps, { do: 'call', run: () => new Promise<void>(() => {}) }]);
    const agent = createAgent({
      name: 'Sleeper',
      executor,
      clock,
      maxRunMs: 60_000,
      taskAfterMs: Number.POSITIVE_INFINITY,
      store: memoryStore({ clock }),
    });
    return { clock, executor, agent, caller: callerOf(agent) };
  };

  test('P26: after maxRunMs its task is FAILED with TASK_TIMEOUT, its signal aborts, and its place is free', async () => {
    const { clock, executor, agent, caller } = hanging([{ do: 'working' }]);
    const sent = follow(caller.task('go'));
    await clock.tick(59_999);
    expect(sent.isSettled).toBe(false);
    expect(executor.runs[0]?.signal.aborted).toBe(false);
    await clock.tick(1);
    const { status } = await sent.outcome;
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message?.metadata).toEqual({ 'urn:parley:a2a:error': { reason: 'TASK_TIMEOUT', code: -31006, retryable: true } });
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    expect(executor.runs[0]?.signal.reason).toMatchObject({ reason: 'TASK_TIMEOUT' });
    await untilIdle(agent);
    expect(clock.pending, 'no timer is left').toBe(0);
  });

  test('P26: before any event it is the error of the call', async () => {
    const { clock, agent, caller } = hanging([]);
    const sent = follow(caller.send('go'));
    sent.outcome.catch(() => {});
    await clock.tick(59_999);
    expect(sent.isSettled).toBe(false);
    await clock.tick(1);
    expect(await refusal(sent.outcome)).toMatchObject({ reason: 'TASK_TIMEOUT', code: -31006, retryable: true });
    await untilIdle(agent);
    expect((await caller.list()).totalSize).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('P26: a run that ends in time leaves no timer', async () => {
    const clock = manualClock();
    const agent = createAgent({ name: 'Sprinter', clock, execute: () => 'x' });
    await callerOf(agent).task('go');
    await untilIdle(agent);
    await clock.tick();
    expect(clock.pending).toBe(0);
  });

  test('P26: a run that continues after its time limit cannot publish', async () => {
    const clock = manualClock();
    const waking = gate();
    const late: unknown[] = [];
    const agent = createAgent({
      name: 'Sleeper',
      clock,
      maxRunMs: 1_000,
      executor: {
        async execute(_, events) {
          await events.working();
          await waking.passed;
          await events.complete('at last').catch((error: unknown) => late.push(error));
        },
      },
    });
    const caller = callerOf(agent);
    const sent = caller.task('go');
    await clock.tick(1_000);
    const task = await sent;
    waking.open();
    await until(() => late.length === 1);
    expect(late).toEqual([expect.objectContaining({ reason: 'INVALID_AGENT_RESPONSE' })]);
    expect(await caller.get(task.id)).toEqual(task);
  });
});
