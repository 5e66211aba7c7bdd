import { describe, expect, test } from 'vitest';
import { type A2AError, isA2AError } from '../src/index.js';
import type { Sink } from '../src/server/advanced.js';
import { type AgentExecutor, type AgentOptions, createAgent, type Logger, memoryStore, type TaskStore } from '../src/server/index.js';
import { failingStore, manualClock, sequentialIds } from '../src/testing/index.js';
import { hearUnhandled } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { quiet, until, untilIdle } from './looking.js';

const NAME = { name: 'Neighbour' };

/** Three tasks at their gates. The commit of the first is held, so that the other two end in one commit, in this order. */
async function neighbours(options: Partial<AgentOptions>, sinkOfSecond: Sink) {
  const together: number[] = [];
  const store = failingStore(memoryStore(), (_number, writes) => {
    together.push(writes.length);
    return undefined;
  });
  const gates = new Map(['first', 'second', 'third'].map((name) => [name, gate()]));
  const agent = createAgent({
    ...NAME,
    ...options,
    store,
    executor: {
      async execute({ text }, events) {
        await events.working();
        await events.flush();
        await gates.get(text)?.passed;
        await events.complete();
      },
    },
  });
  const caller = callerOf(agent);
  const reply = await caller.handle('SendStreamingMessage', { message: say('second') });
  if (reply.kind !== 'stream') throw new Error('no stream');
  reply.open(sinkOfSecond);
  const others = [caller.task('first'), caller.task('third')];
  await until(() => agent.tasks.running.length === 3);
  await quiet();
  store.hold();
  gates.get('first')?.open();
  await until(() => store.held === 1);
  gates.get('second')?.open();
  await quiet();
  gates.get('third')?.open();
  await quiet();
  together.length = 0;
  store.release();
  return { agent, caller, others, together };
}

const deaf: Sink = { send: () => true, end: () => {} };
const bad = (): never => {
  throw new Error('broken');
};

describe('D6: a failure does not affect the other tasks of the same commit', () => {
  const broken: [string, Partial<AgentOptions>, Sink][] = [
    ['a reader that throws at its end', {}, { send: () => true, end: bad }],
    ['a reader that throws at every frame', {}, { send: bad, end: bad }],
    ['a bus that throws', { bus: { notify: bad, listen: () => () => {}, close: async () => {} } }, deaf],
  ];
  test.each(broken)('D6: %s', async (_name, options, sink) => {
    using unhandled = hearUnhandled();
    const { agent, caller, others, together } = await neighbours(options, sink);
    const tasks = await Promise.all(others);
    expect(together, 'the first alone, the other two in one commit').toEqual([1, 2]);
    expect(tasks.map(({ status }) => status.state)).toEqual(['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED']);
    await untilIdle(agent);
    expect((await caller.list({ status: 'TASK_STATE_COMPLETED' })).totalSize).toBe(3);
    await quiet();
    expect(unhandled.heard).toEqual([]);
  });

  test('D6: onError gets the error of a bus that throws, as an A2AError', async () => {
    const errors: unknown[] = [];
    const bus = { notify: bad, listen: () => () => {}, close: async () => {} };
    const caller = callerOf(createAgent({ ...NAME, bus, execute: async () => 'ok', onError: (error) => errors.push(error) }));
    await caller.task('go');
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.every(isA2AError)).toBe(true);
  });
});

describe('D18: a stream sink whose end throws, without a task', () => {
  const early: [string, AgentExecutor][] = [
    ['a direct Message', { execute: (_context, events) => events.reply('hi') }],
    ['an error after the headers', { execute: () => Promise.reject(new Error('crash')) }],
  ];
  test.each(early)('D18: %s', async (_name, { execute }) => {
    using unhandled = hearUnhandled();
    const clock = manualClock();
    const go = gate();
    const executor: AgentExecutor = {
      async execute(context, events) {
        await go.passed;
        await execute(context, events);
      },
    };
    const agent = createAgent({ ...NAME, executor, clock, heartbeatMs: 100 });
    const caller = callerOf(agent);
    const opening = caller.handle('SendStreamingMessage', { message: say('go') });
    await clock.tick(100);
    const reply = await opening;
    if (reply.kind !== 'stream') throw new Error('no stream');
    reply.open({ send: () => true, end: bad });
    go.open();
    await untilIdle(agent);
    await quiet();
    expect(unhandled.heard).toEqual([]);
  });
});

describe('D32: a logger that throws', () => {
  const logger: Logger = { debug: bad, info: bad, warn: bad, error: bad };
  const runs: [string, AgentExecutor, Partial<AgentOptions>, string][] = [
    ['a crash', { execute: (_, events) => events.working().then(bad) }, {}, 'TASK_STATE_FAILED'],
    ['a run that stops without a final state', { execute: (_, events) => events.working() }, {}, 'TASK_STATE_FAILED'],
    [
      'a run that stops without a final state and is kept',
      { execute: (_, events) => events.working() },
      { onIncomplete: 'keep' },
      'TASK_STATE_WORKING',
    ],
    [
      'a second Task',
      {
        async execute({ taskId, contextId }, events) {
          await events.task();
          await events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } });
          await events.complete();
        },
      },
      {},
      'TASK_STATE_COMPLETED',
    ],
    [
      'a log line of the executor',
      {
        async execute({ logger: own }, events) {
          own.info({}, 'hello');
          await events.complete();
        },
      },
      {},
      'TASK_STATE_COMPLETED',
    ],
  ];
  test.each(runs)('D32: does not change the result of %s', async (_name, executor, options, state) => {
    using unhandled = hearUnhandled();
    const agent = createAgent({ ...NAME, ...options, executor, logger, onError: bad });
    expect((await callerOf(agent).task('go')).status.state).toBe(state);
    await untilIdle(agent);
    await quiet();
    expect(unhandled.heard).toEqual([]);
  });

  test('D18, D32: the caller gets the error of a failed commit although the logger throws', async () => {
    using unhandled = hearUnhandled();
    const store = failingStore(memoryStore(), (_number, writes) => (JSON.stringify(writes).includes('boom') ? 'before' : undefined));
    const execute: AgentExecutor['execute'] = ({ text }, events) => events.complete(text);
    const caller = callerOf(createAgent({ ...NAME, store, logger, executor: { execute } }));
    const [lost, kept] = await Promise.all([caller.task('boom').catch((error: A2AError) => error.reason), caller.task('fine')]);
    expect([lost, kept.status.state]).toEqual(['AGENT_UNAVAILABLE', 'TASK_STATE_COMPLETED']);
    await quiet();
    expect(unhandled.heard).toEqual([]);
  });
});

describe('D18: a store that throws the errors of its driver', () => {
  const READS = ['load', 'readAfter', 'entryAt', 'list', 'conversation', 'post', 'inbox', 'claim', 'commit'] as const;

  /**
   * While `broken` is true, this function of the store rejects. For `commit`, the read that checks the outcome of a commit rejects as well.
   */
  function breaking(name: (typeof READS)[number]) {
    const inner = memoryStore();
    const state = { broken: false };
    const spoil = (key: (typeof READS)[number]): object => {
      const original = inner[key] as (...asked: unknown[]) => Promise<unknown>;
      return { [key]: async (...asked: unknown[]) => (state.broken ? bad() : original(...asked)) };
    };
    const store: TaskStore = { ...inner, ...spoil(name), ...(name === 'commit' && spoil('entryAt')) };
    return { state, store };
  }

  test.each(READS)('D18: when %s fails, callers and onError get A2AErrors without the text of the driver', async (name) => {
    using unhandled = hearUnhandled();
    const clock = manualClock();
    const errors: unknown[] = [];
    const { state, store } = breaking(name);
    const ask: AgentExecutor = {
      async execute(context, events) {
        if (context.text === 'ask') await context.requireInput('Well?');
        await context.conversation({ limit: 5 });
        await events.status('TASK_STATE_INPUT_REQUIRED', 'more?');
      },
    };
    const agent = createAgent({ ...NAME, store, executor: ask, clock, ids: sequentialIds(), onError: (error) => errors.push(error) });
    const caller = callerOf(agent);
    const parked = caller.task('go');
    const asked = caller.task('ask');
    await clock.tick(10);
    const ids = [(await parked).id, (await asked).id];
    state.broken = true;
    const answers: unknown[] = [];
    const note = (answer: unknown): void => void answers.push(answer);
    const calls = ids.flatMap((id) => [
      caller.get(id),
      caller.subscribe(id).then((reader) => reader.ended),
      caller.subscribe(id, '1').then((reader) => reader.ended),
      caller.task(say('more', { taskId: id })),
      caller.stream(say('more', { taskId: id })).then((reader) => reader.ended),
      caller.cancel(id),
    ]);
    for (const call of [...calls, caller.list(), caller.task('go'), caller.task('ask')]) void call.then(note, note);
    await clock.tick(3_500);
    state.broken = false;
    await clock.tick(20_000);
    expect(errors.length + answers.length).toBeGreaterThan(0);
    expect(errors.filter((error) => !isA2AError(error))).toEqual([]);
    const thrown = answers.filter((answer) => answer instanceof Error);
    expect(thrown.filter((error) => !isA2AError(error))).toEqual([]);
    expect(JSON.stringify([answers, thrown.map((error) => error.message)])).not.toContain('broken');
    expect(unhandled.heard).toEqual([]);
  });
});
