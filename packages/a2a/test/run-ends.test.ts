import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import type { Message, Task } from '../src/protocol/types.js';
import { type AgentOptions, createAgent, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { type FaultPlan, failingStore, manualClock } from '../src/testing/index.js';
import { callerOf } from './harness.js';
import { refusal, told, until, untilIdle } from './looking.js';

const SECRET = 'password is hunter2';
const reply: Message = { messageId: 'reply', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] };
const limited = () => new A2AError('RATE_LIMITED', 'come back later', { retryAfterMs: 5_000 });

/** The expected end: the state and the reason of a task, a Message, or the error of the call. */
type End =
  | { readonly state: string; readonly reason?: string; readonly text?: string; readonly answer?: string; readonly hint?: number }
  | { readonly message: string }
  | { readonly error: string; readonly code: number; readonly hint?: number };

type Run = (context: RequestContext, events: TaskEvents) => Promise<void>;
type Case = readonly [
  name: string,
  options: Partial<AgentOptions>,
  end: End,
  more?: { readonly faults: FaultPlan; readonly stored: boolean },
];

const completed = (answer?: string): End => ({ state: 'COMPLETED', ...(answer !== undefined && { answer }) });
const failed = (reason: string, text: string, hint?: number): End => ({
  state: 'FAILED',
  reason,
  text,
  ...(hint !== undefined && { hint }),
});
const executor = (execute: Run): Partial<AgentOptions> => ({ executor: { execute } });
const crash = failed('INTERNAL_ERROR', 'The agent failed unexpectedly');

const CASES: readonly Case[] = [
  // The function form: a normal return completes the task.
  ['a function that returns text', { execute: () => 'done' }, completed('done')],
  ['a function that returns parts', { execute: async () => [{ text: 'do' }, { text: 'ne' }] }, completed('done')],
  ['a function that returns nothing', { execute: async () => {} }, completed()],
  ['a function that returns a Message', { execute: () => reply }, { message: 'hi' }],
  ['a function that published WORKING and returns nothing', { execute: async (_, events) => void (await events.working()) }, completed()],
  [
    'a function that ended the task itself',
    { execute: async (_, events) => events.reject('not mine') },
    { state: 'REJECTED', text: 'not mine' },
  ],
  [
    'a function that leaves a question open',
    { execute: async (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') },
    { state: 'INPUT_REQUIRED', text: 'well?' },
  ],
  [
    'a function that throws first',
    {
      execute: () => {
        throw new Error(SECRET);
      },
    },
    { error: 'INTERNAL_ERROR', code: -32603 },
  ],
  // The generator form.
  [
    'a generator that ends normally',
    {
      async *execute() {
        yield 'do';
        yield 'ne';
      },
    },
    completed('done'),
  ],
  [
    'a generator that returns the last chunk',
    {
      async *execute() {
        yield 'do';
        return 'ne';
      },
    },
    completed('done'),
  ],
  [
    'a generator that throws at once',
    {
      async *execute(context) {
        if (context.text === 'go') throw new Error(SECRET);
        yield 'never';
      },
    },
    { error: 'INTERNAL_ERROR', code: -32603 },
  ],
  [
    'a generator that throws midway',
    {
      async *execute() {
        yield 'half';
        throw new Error(SECRET);
      },
    },
    { ...crash, answer: 'half' },
  ],
  // The executor form: it publishes its own end.
  ['complete', executor((_, events) => events.complete('well done')), { state: 'COMPLETED', text: 'well done' }],
  ['fail with a text', executor((_, events) => events.fail('no luck')), { state: 'FAILED', text: 'no luck' }],
  ['fail with an A2AError', executor((_, events) => events.fail(limited())), failed('RATE_LIMITED', 'come back later', 5_000)],
  ['reject', executor((_, events) => events.reject('not mine')), { state: 'REJECTED', text: 'not mine' }],
  ['canceled', executor((_, events) => events.canceled()), { state: 'CANCELED' }],
  ['a direct reply', executor((_, events) => events.reply('hi')), { message: 'hi' }],
  ['return with an open question', executor((_, events) => events.status('TASK_STATE_INPUT_REQUIRED')), { state: 'INPUT_REQUIRED' }],
  ['return with an open authorization', executor((_, events) => events.status('TASK_STATE_AUTH_REQUIRED')), { state: 'AUTH_REQUIRED' }],
  [
    'return while WORKING',
    executor((_, events) => events.working()),
    failed('INVALID_AGENT_RESPONSE', 'the agent stopped without finishing the task'),
  ],
  ['return while WORKING, with keep', { ...executor((_, events) => events.working()), onIncomplete: 'keep' }, { state: 'WORKING' }],
  ['return without an event', executor(async () => {}), { error: 'INVALID_AGENT_RESPONSE', code: -32006 }],
  // An error that is thrown before the Task exists is the error of the call.
  [
    'throw an A2AError before the Task',
    executor(async () => {
      throw limited();
    }),
    { error: 'RATE_LIMITED', code: -31004, hint: 5_000 },
  ],
  [
    'throw a foreign Error before the Task',
    executor(async () => {
      throw new Error(SECRET);
    }),
    { error: 'INTERNAL_ERROR', code: -32603 },
  ],
  [
    'throw a string before the Task',
    executor(async () => {
      throw SECRET;
    }),
    { error: 'INTERNAL_ERROR', code: -32603 },
  ],
  [
    'throw undefined before the Task',
    executor(async () => {
      throw undefined;
    }),
    { error: 'INTERNAL_ERROR', code: -32603 },
  ],
  [
    'throw after a direct reply',
    executor(async (_, events) => {
      await events.reply('hi');
      throw new Error(SECRET);
    }),
    { error: 'INTERNAL_ERROR', code: -32603 },
  ],
  // An error that is thrown later ends the task.
  [
    'throw an A2AError after the Task',
    executor(async (_, events) => {
      await events.working();
      throw limited();
    }),
    failed('RATE_LIMITED', 'come back later', 5_000),
  ],
  [
    'throw a foreign Error after the Task',
    executor(async (_, events) => {
      await events.working();
      throw new Error(SECRET);
    }),
    crash,
  ],
  [
    'throw undefined after the Task',
    executor(async (_, events) => {
      await events.working();
      throw undefined;
    }),
    crash,
  ],
  [
    'throw after the end',
    executor(async (_, events) => {
      await events.complete('well done');
      throw new Error(SECRET);
    }),
    { state: 'COMPLETED', text: 'well done' },
  ],
  // Illegal events.
  [
    'a status before the Task',
    executor((context, events) =>
      events.publish({ taskId: context.taskId, contextId: context.contextId, status: { state: 'TASK_STATE_WORKING' } }),
    ),
    { error: 'INVALID_AGENT_RESPONSE', code: -32006 },
  ],
  [
    'a Message after the Task',
    executor(async (_, events) => {
      await events.working();
      await events.reply('hi');
    }),
    { state: 'FAILED', reason: 'INVALID_AGENT_RESPONSE' },
  ],
  [
    'an illegal event that is not awaited',
    executor(async (_, events) => {
      await events.working();
      void events.reply('hi');
      await events.complete().catch(() => {});
    }),
    { state: 'FAILED', reason: 'INVALID_AGENT_RESPONSE' },
  ],
  // A failed commit does not end the task.
  [
    'a store that fails before the Task exists',
    executor((_, events) => events.complete()),
    { error: 'AGENT_UNAVAILABLE', code: -31005, hint: 1_000 },
    { faults: { 1: 'before' }, stored: false },
  ],
  [
    'a store that fails during the run',
    executor(async (_, events) => {
      await events.working();
      await events.flush();
      await events.complete();
    }),
    { error: 'AGENT_UNAVAILABLE', code: -31005, hint: 1_000 },
    { faults: { 2: 'before' }, stored: true },
  ],
];

function check(end: End, { task, message, error }: { readonly task?: Task; readonly message?: Message; readonly error?: A2AError }): void {
  if ('error' in end) {
    expect(error).toMatchObject({ reason: end.error, code: end.code });
    expect(error?.retryAfterMs).toBe(end.hint);
    return;
  }
  if (error) throw error;
  if ('message' in end) {
    expect(message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: end.message }] });
    return;
  }
  expect(task?.status.state).toBe(`TASK_STATE_${end.state}`);
  if (end.text !== undefined) expect(task?.status.message?.parts).toEqual([{ text: end.text }]);
  if (end.reason !== undefined) expect(task?.status.message?.metadata?.['urn:parley:a2a:error']).toMatchObject({ reason: end.reason });
  if (end.hint !== undefined)
    expect(task?.status.message?.metadata?.['urn:parley:a2a:error']).toMatchObject({ retryable: true, retryAfterMs: end.hint });
  if (end.answer !== undefined) expect(task?.artifacts?.[0]?.parts.map(({ text }) => text).join('')).toBe(end.answer);
}

/** The outcome for the caller, and the stored tasks afterwards. */
async function run([, options, , more]: Case, method: 'unary' | 'stream') {
  const store = failingStore(memoryStore(), more?.faults);
  const agent = createAgent({ name: 'Ender', execute: () => '', store, ...options });
  const caller = callerOf(agent);
  const outcome = await (method === 'unary' ? unary(caller) : stream(caller));
  await untilIdle(agent);
  return { outcome, stored: (await caller.list({ includeArtifacts: true })).tasks };
}

type Client = ReturnType<typeof callerOf>;

async function unary(caller: Client): Promise<Parameters<typeof check>[1]> {
  return caller.send('go').catch((error) => ({ error }));
}

/** The outcome of a stream: its Task with all later events applied. */
async function stream(caller: Client): Promise<Parameters<typeof check>[1]> {
  try {
    const reader = await caller.stream('go');
    const [first] = await reader.all();
    if (first?.message) return { message: first.message };
    const status = reader.seen.findLast(({ statusUpdate }) => statusUpdate)?.statusUpdate?.status;
    const parts = reader.seen.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    return {
      task: {
        ...first?.task,
        id: first?.task?.id ?? '',
        status: status ?? first?.task?.status ?? { state: 'TASK_STATE_UNSPECIFIED' },
        artifacts: [{ artifactId: 'answer', parts }],
      },
    };
  } catch (error) {
    return { error: error as A2AError };
  }
}

describe.each(['unary', 'stream'] as const)('D18: every end of a run, for a %s caller', (method) => {
  test.each(CASES.map((row) => [row[0], row] as const))('D18: %s', async (_name, row) => {
    const [, , end, more] = row;
    const { outcome, stored } = await run(row, method);
    check(end, outcome);
    const isTask = 'state' in end;
    expect(stored, 'nothing is stored without a Task').toHaveLength(isTask || more?.stored ? 1 : 0);
    if (isTask) check(end, { task: stored[0] as Task });
    const everything = JSON.stringify(outcome) + (outcome.error ? told(outcome.error) : '');
    expect(everything, 'foreign text is not sent to the caller').not.toContain('hunter2');
  });
});

describe('D18: reports, timeouts and store failures', () => {
  test('D18: a crash is reported with its cause, an A2AError is not reported', async () => {
    const errors: A2AError[] = [];
    const cause = new Error(SECRET);
    const thrown: unknown[] = [cause, limited()];
    const agent = createAgent({
      execute: () => '',
      name: 'Ender',
      onError: (error) => errors.push(error),
      ...executor(async () => {
        throw thrown.shift();
      }),
    });
    const caller = callerOf(agent);
    await refusal(caller.send('go'));
    await refusal(caller.send('go'));
    expect(errors.map((error) => [error.reason, error.cause])).toEqual([['INTERNAL_ERROR', cause]]);
  });

  test.each(['unary', 'stream'] as const)(
    'D18: a run that takes too long is FAILED with TASK_TIMEOUT for a %s caller, and its signal aborts',
    async (method) => {
      const clock = manualClock();
      let signal: AbortSignal | undefined;
      const agent = createAgent({
        execute: () => '',
        name: 'Ender',
        clock,
        store: memoryStore({ clock }),
        maxRunMs: 60_000,
        ...executor(async (context, events) => {
          signal = context.signal;
          await events.working();
          await new Promise(() => {});
        }),
      });
      const caller = callerOf(agent);
      const outcome = method === 'unary' ? unary(caller) : stream(caller);
      await clock.tick(59_999);
      expect(signal?.aborted).toBe(false);
      await clock.tick(1);
      const { task } = await outcome;
      expect(task?.status).toMatchObject({
        state: 'TASK_STATE_FAILED',
        message: { metadata: { 'urn:parley:a2a:error': { reason: 'TASK_TIMEOUT', retryable: true } } },
      });
      expect(signal?.aborted).toBe(true);
      await clock.tick();
      expect(agent.tasks.running).toEqual([]);
      expect(clock.pending).toBe(0);
    },
  );

  test.each(['unary', 'stream'] as const)('D18: a run that takes too long before the Task exists fails the %s call', async (method) => {
    const clock = manualClock();
    const agent = createAgent({
      execute: () => '',
      name: 'Ender',
      clock,
      store: memoryStore({ clock }),
      maxRunMs: 10_000,
      taskAfterMs: Number.POSITIVE_INFINITY,
      ...executor(() => new Promise(() => {})),
    });
    const caller = callerOf(agent);
    const outcome = method === 'unary' ? unary(caller) : stream(caller);
    await clock.tick(10_000);
    expect((await outcome).error).toMatchObject({ reason: 'TASK_TIMEOUT', code: -31006 });
    expect(agent.tasks.running).toEqual([]);
    expect((await caller.list()).totalSize).toBe(0);
  });

  test('D18: when the store fails, the run is aborted, every reader gets a retryable error, and nothing more is written', async () => {
    const store = failingStore(memoryStore(), (_, writes) =>
      writes.some(({ entries }) => entries.some(({ kind }) => kind === 'artifact')) ? 'before' : undefined,
    );
    const late: string[] = [];
    let signal: AbortSignal | undefined;
    const agent = createAgent({
      execute: () => '',
      name: 'Ender',
      store,
      ...executor(async (context, events) => {
        signal = context.signal;
        await events.working();
        await events.flush();
        await events.appendText('a', 'lost');
        await events.flush().catch((error) => late.push(error.reason));
        await events.complete().catch((error) => late.push(error.reason));
      }),
    });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    expect(await reader.ended).toMatchObject({
      kind: 'error',
      error: { reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 },
    });
    await untilIdle(agent);
    await until(() => late.length === 2);
    expect(signal?.aborted).toBe(true);
    expect(late[0]).toBe('AGENT_UNAVAILABLE');
    const commits = store.commits;
    const id = reader.seen[0]?.task?.id ?? '';
    expect((await caller.get(id)).status.state, 'not a final state').toBe('TASK_STATE_WORKING');
    expect(store.commits).toBe(commits);
    expect(reader.text).toBe('');
  });
});
