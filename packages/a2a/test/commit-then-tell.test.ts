import { describe, expect, test } from 'vitest';
import { type AgentExecutor, createAgent, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { type FailingStore, failingStore, manualClock, scriptedExecutor } from '../src/testing/index.js';
import { ignoringHeartbeats } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { follow, logOf, quiet, refOf, until, untilIdle } from './looking.js';

const NAME = { name: 'Committer' };

/** An agent whose task exists, with a subscriber, and a store that holds every commit from here on. */
async function heldBack(executor: AgentExecutor, options: { readonly maxPendingEvents?: number; readonly maxPendingBytes?: number } = {}) {
  const store = failingStore(memoryStore());
  const agent = createAgent({ ...NAME, ...options, store, executor });
  const caller = callerOf(agent);
  const { id } = await caller.task('go', { returnImmediately: true });
  const watcher = await caller.subscribe(id);
  await watcher.until(1);
  await quiet();
  store.hold();
  return { agent, caller, id, store, watcher };
}

/** Waits for the gate, then publishes the chunks one by one and counts the accepted ones. */
function publisher(chunks: number, text = 'x') {
  const start = gate();
  const accepted: number[] = [];
  const refused: unknown[] = [];
  const execute = async (_context: RequestContext, events: TaskEvents): Promise<void> => {
    await events.working();
    await events.flush();
    await start.passed;
    for (let chunk = 1; chunk <= chunks; chunk += 1) {
      try {
        await events.appendText('a', text);
        accepted.push(chunk);
      } catch (error) {
        refused.push(error);
        throw error;
      }
    }
    await events.complete();
  };
  return { accepted, refused, start, executor: { execute } };
}

const committed = async (store: FailingStore, id: string): Promise<number> => (await logOf(store, refOf(id))).at(-1)?.seq ?? 0;

describe('D6: events are accepted in order, and readers see them only after the commit', () => {
  test('D6: publish resolves although the store is slow, and no reader sees an event before its commit', async () => {
    const { accepted, executor, start } = publisher(5);
    const { caller, id, store, watcher } = await heldBack(executor);
    const before = await committed(store, id);
    const seen = watcher.seen.length;
    start.open();
    await until(() => accepted.length === 5);
    await quiet();
    expect(watcher.seen).toHaveLength(seen);
    expect(await committed(store, id)).toBe(before);
    const got = follow(caller.get(id));
    await quiet();
    if (got.isSettled) expect((await got.outcome).artifacts).toBeUndefined();
    store.release();
    await watcher.all();
    expect(watcher.text).toBe('xxxxx');
    expect(watcher.seen.at(-1)?.seq).toBe(await committed(store, id));
  });

  test('D6: every event that a reader or GetTask shows is already in the store', async () => {
    const store = failingStore(memoryStore());
    const { executor, start } = publisher(300);
    const agent = createAgent({ ...NAME, store, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const reply = await caller.handle('SubscribeToTask', { id }, { lastEventId: '0' });
    if (reply.kind !== 'stream') throw new Error('no stream');
    const checks: Promise<boolean>[] = [];
    const ended = new Promise((resolve) => {
      reply.open({
        send(frames) {
          for (const { seq = 0, json } of frames) checks.push(store.entryAt(refOf(id), seq).then((found) => found?.json === json));
          return true;
        },
        end: resolve,
      });
    });
    start.open();
    for (let look = 0; look < 50; look += 1) {
      const chunks = (await caller.get(id)).artifacts?.[0]?.parts[0]?.text?.match(/ /g)?.length ?? 0;
      const stored = (await logOf(store, refOf(id))).filter(({ kind }) => kind === 'artifact').length;
      expect(chunks).toBeLessThanOrEqual(stored);
    }
    await ended;
    expect(checks.length).toBeGreaterThan(300);
    expect(new Set(await Promise.all(checks))).toEqual(new Set([true]));
  });

  test('D6: readers get exactly the committed batch: an event published during a commit waits for the next one', async () => {
    const [start, step] = [gate(), gate()];
    const { store, watcher } = await heldBack({
      async execute(_context, events) {
        await events.working();
        await events.flush();
        await start.passed;
        await events.appendText('a', 'first ');
        await step.passed;
        await events.appendText('a', 'second');
        await events.complete();
      },
    });
    start.open();
    await until(() => store.held === 1);
    step.open();
    await quiet();
    store.release(1);
    await until(() => store.held === 1);
    expect(watcher.text, 'the batch of the first commit alone').toBe('first ');
    store.release();
    await watcher.all();
    expect(watcher.text).toBe('first second');
  });

  test.each([
    ['flush', (events: TaskEvents) => events.flush()],
    ['complete', (events: TaskEvents) => events.complete()],
    ['fail', (events: TaskEvents) => events.fail('no')],
    ['reject', (events: TaskEvents) => events.reject()],
    ['canceled', (events: TaskEvents) => events.canceled()],
  ] as const)('D6: %s resolves when it is committed, not before', async (_name, end) => {
    const start = gate();
    let promise: ReturnType<typeof follow<void>> | undefined;
    const { store, watcher } = await heldBack({
      async execute(_context, events) {
        await events.working();
        await start.passed;
        await events.appendText('a', 'x');
        promise = follow(end(events));
        await promise.outcome;
        if (!events.isFinal) await events.complete();
      },
    });
    start.open();
    await until(() => store.held === 1);
    await quiet();
    expect(promise?.isSettled).toBe(false);
    store.release();
    await promise?.outcome;
    expect(watcher.text, 'by then the readers have the event').toBe('x');
    await watcher.all();
  });

  test('D6: the question of requireInput is visible when it is committed, and the run ends when its last commit ends', async () => {
    const start = gate();
    const { agent, caller, id, store, watcher } = await heldBack({
      async execute(context, events) {
        await events.working();
        await start.passed;
        await context.requireInput('well?');
        void events.complete();
      },
    });
    start.open();
    await until(() => store.held === 1);
    expect(watcher.states).not.toContain('INPUT_REQUIRED');
    store.release(1);
    await watcher.when(() => watcher.states.includes('INPUT_REQUIRED'));
    const answer = follow(caller.task(say('yes', { taskId: id })));
    await until(() => store.held === 1);
    store.release(1);
    await until(() => store.held === 1);
    await quiet();
    expect(agent.tasks.running, 'the task counts as running until its end is committed').toHaveLength(1);
    expect(answer.isSettled).toBe(false);
    store.release();
    expect((await answer.outcome).status.state).toBe('TASK_STATE_COMPLETED');
    await untilIdle(agent);
  });
});

describe('D6: pending events are limited', () => {
  /** One commit is in flight with the first chunk. Then as many more are accepted as the limit allows. */
  test.each([
    ['256 events by default', {}, 'x', 256],
    ['maxPendingEvents events', { maxPendingEvents: 3 }, 'x', 3],
    ['single events that are larger than maxPendingBytes', { maxPendingBytes: 10 }, 'x', 1],
    ['events of up to 1 MiB by default', {}, 'x'.repeat(100 * 1024), 11],
  ] as const)('D6: %s are accepted while a commit is in flight, and the next publish waits', async (_name, options, text, pending) => {
    const { accepted, executor, start } = publisher(600, text);
    const { store, watcher } = await heldBack(executor, options);
    start.open();
    await until(() => store.held === 1);
    for (let large = 0; large < 5; large += 1) await quiet(); // each large chunk takes an iteration of the event loop
    const detached = 1;
    expect(accepted.length - detached).toBeLessThanOrEqual(pending);
    const first = accepted.length;
    await quiet();
    expect(accepted, 'publish waits').toHaveLength(first);
    expect(first).toBeGreaterThanOrEqual(pending);
    store.release();
    await watcher.all();
    expect(watcher.seen.filter(({ artifactUpdate }) => artifactUpdate)).toHaveLength(600);
    expect(accepted).toHaveLength(600);
  });

  test('D6: a waiting publish rejects when the run is aborted, and the limit does not delay the cancel', async () => {
    const { accepted, executor, refused, start } = publisher(600);
    const { caller, id, store } = await heldBack(executor, { maxPendingEvents: 3 });
    start.open();
    await until(() => store.held === 1);
    await quiet();
    const waiting = accepted.length;
    store.release(1);
    await until(() => store.held === 1);
    expect(accepted.length).toBeGreaterThan(waiting);
    // The task is read before it is canceled, so one commit passes.
    const canceled = caller.cancel(id);
    store.release(1);
    await until(() => refused.length === 1);
    store.release();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    expect(accepted.length).toBeLessThan(600);
  });

  test('D6: a waiting publish rejects when the store fails', async () => {
    const store = failingStore(memoryStore(), (commit) => (commit > 2 ? 'before' : undefined));
    const { accepted, executor, refused, start } = publisher(600);
    const agent = createAgent({ ...NAME, store, maxPendingEvents: 3, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const watcher = await caller.subscribe(id);
    await watcher.until(1);
    await quiet();
    store.hold();
    start.open();
    await until(() => store.held === 1);
    await quiet();
    store.release();
    expect(await watcher.ended).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE', retryable: true } });
    await untilIdle(agent);
    expect(refused).toMatchObject([{ reason: 'AGENT_UNAVAILABLE' }]);
    expect(accepted.length).toBeLessThan(10);
  });

  test('D6: a waiting publish rejects when another node has taken over the task', async () => {
    const store = failingStore(ignoringHeartbeats());
    const { accepted, executor, refused, start } = publisher(600);
    const agent = createAgent({ ...NAME, store, maxPendingEvents: 3, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    await quiet();
    store.hold();
    start.open();
    await until(() => store.held === 1);
    await quiet();
    await store.claim(refOf(id), 'another-node');
    store.release();
    await untilIdle(agent);
    expect(refused).toMatchObject([{ reason: 'AGENT_UNAVAILABLE' }]);
    expect(accepted.length).toBeLessThan(10);
  });

  test('D6: an event need not be awaited: its error is thrown by the next call, and never as an unhandled rejection', async () => {
    const next: unknown[] = [];
    const executor: AgentExecutor = {
      async execute(context, events) {
        await events.working();
        void events.publish({ taskId: 'foreign', contextId: context.contextId, status: { state: 'TASK_STATE_WORKING' } });
        void events.appendText('a', 'x');
        await events.appendText('a', 'y').catch((error) => next.push(error.reason));
      },
    };
    const task = await callerOf(createAgent({ ...NAME, executor })).task('go');
    expect(next).toEqual(['INVALID_AGENT_RESPONSE']);
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { metadata: { 'urn:parley:a2a:error': { reason: 'INVALID_AGENT_RESPONSE' } } },
    });
  });

  test('D6: an event need not be awaited: all events are in the log when the task ends, also above the limit', async () => {
    const executor: AgentExecutor = {
      async execute(_context, events) {
        for (let chunk = 0; chunk < 1_000; chunk += 1) void events.appendText('a', `${chunk} `);
        void events.complete('all said');
      },
    };
    const task = await callerOf(createAgent({ ...NAME, executor })).task('go');
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'all said' }] } });
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: Array.from({ length: 1_000 }, (_, chunk) => `${chunk} `).join('') }]);
  });
});

describe('D6: a durable store gathers the events of all tasks in one commit', () => {
  async function gathering() {
    const clock = manualClock();
    const store = failingStore({ ...memoryStore({ clock }), lingerMs: 2 });
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'flush' },
      { do: 'sleep', ms: 1_000 },
      { do: 'append', artifactId: 'a', text: '1' },
      { do: 'sleep', ms: 1 },
      { do: 'append', artifactId: 'a', text: '2' },
      { do: 'append', artifactId: 'a', text: '3' },
      { do: 'sleep', ms: 1_000 },
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, clock, store, executor });
    return { agent, caller: callerOf(agent), clock, store };
  }

  test('D6: the first event after a pause commits at once, then there is at most one commit every two milliseconds', async () => {
    const { caller, clock, store } = await gathering();
    const reader = await caller.stream('go');
    await clock.tick(999);
    const before = store.commits;
    await clock.tick(1);
    expect(store.commits - before).toBe(1);
    expect(reader.text).toBe('1');
    await clock.tick(1);
    expect(store.commits - before).toBe(1);
    await clock.tick(1);
    expect(store.commits - before).toBe(2);
    expect(reader.text).toBe('123');
  });

  test('D6: two tasks share one commit', async () => {
    const { caller, clock, store } = await gathering();
    const [one, two] = await Promise.all([caller.stream('go'), caller.stream('go')]);
    await clock.tick(999);
    const before = store.commits;
    await clock.tick(1);
    expect(store.commits - before).toBe(1);
    expect([one.text, two.text], 'the event of the second task comes within the two milliseconds').toEqual(['1', '']);
    await clock.tick(2);
    expect(store.commits - before).toBe(2);
    expect([one.text, two.text]).toEqual(['123', '123']);
  });

  test('D6: a commit that a waiting unary caller needs is not delayed to gather more events', async () => {
    const clock = manualClock();
    const store = failingStore({ ...memoryStore({ clock }), lingerMs: 60_000 });
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'append', artifactId: 'a', text: '1' },
      { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') },
    ]);
    const agent = createAgent({ ...NAME, clock, store, executor });
    const sent = follow(callerOf(agent).task('go'));
    await clock.tick();
    expect(sent.isSettled).toBe(true);
    expect((await sent.outcome).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  test('D6: a full queue commits earlier', async () => {
    const clock = manualClock();
    const store = failingStore({ ...memoryStore({ clock }), lingerMs: 60_000 });
    const executor: AgentExecutor = {
      async execute(_context, events) {
        await events.working();
        await events.flush();
        for (let chunk = 0; chunk < 20; chunk += 1) await events.appendText('a', 'x');
        await new Promise(() => {});
      },
    };
    const agent = createAgent({ ...NAME, clock, store, maxPendingEvents: 5, executor });
    const reader = await callerOf(agent).stream('go');
    await clock.tick();
    expect(reader.text.length).toBeGreaterThanOrEqual(15);
  });
});
