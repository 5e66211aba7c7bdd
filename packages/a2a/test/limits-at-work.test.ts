/** D21 for running tasks and waiting messages: each limit at n and at n + 1. */
import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import { type AgentExecutor, type AgentOptions, createAgent, memoryStore } from '../src/server/index.js';
import { failingStore, manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal, until, untilIdle } from './looking.js';

const NAME = { name: 'Bounded' };
const PARK: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') };
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

describe('D21: maxRunningTasks', () => {
  test.each([
    ['by default 1,000', {}, 1_000],
    ['as configured', { maxRunningTasks: 3 }, 3],
  ])('D21: at the limit of running tasks one more is refused, until one has ended: %s', async (_name, options, limit) => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const agent = createAgent({ ...NAME, ...options, executor });
    const caller = callerOf(agent);
    const tasks = await Promise.all(numbers(limit).map(() => caller.task('go', { returnImmediately: true })));
    expect(agent.tasks.running).toHaveLength(limit);
    for (const refused of [() => caller.send('one more'), () => caller.stream('one more')]) {
      expect(await refusal(refused())).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 });
    }
    expect((await caller.list()).totalSize, 'no task was stored for the refused send').toBe(limit);
    await caller.cancel(tasks[0]?.id ?? '');
    await quiet();
    await caller.task('now there is room', { returnImmediately: true });
    expect(await refusal(caller.send('one more'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    executor.open('end');
    await untilIdle(agent);
  });

  test('D21: a message that would wake a parked task is refused as well, and not stored', async () => {
    const executor = scriptedExecutor([PARK], { turns: [[{ do: 'gate', name: 'end' }, { do: 'complete' }]] });
    const agent = createAgent({ ...NAME, maxRunningTasks: 1, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('ask');
    await untilIdle(agent);
    const running = follow(caller.task('go'));
    await until(() => agent.tasks.running.length === 1);
    expect(await refusal(caller.send(say('on', { taskId: id })))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    expect(await inboxOf(agent.settings.store, refOf(id))).toEqual([]);
    executor.open('end');
    await running.outcome;
    await quiet();
    expect((await caller.task(say('on', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('D21: time', () => {
  test.each([
    ['by default one hour', {}, 3_600_000],
    ['as configured', { maxRunMs: 70 }, 70],
  ])('D21: a turn may run until maxRunMs and no longer: %s', async (_name, options, limit) => {
    for (const [takes, state] of [
      [limit - 1, 'TASK_STATE_COMPLETED'],
      [limit + 1, 'TASK_STATE_FAILED'],
    ] as const) {
      const clock = manualClock();
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'sleep', ms: takes }, { do: 'complete' }]);
      const agent = createAgent({ ...NAME, ...options, clock, executor, store: memoryStore({ clock }) });
      const sent = follow(callerOf(agent).task('go'));
      await clock.tick(limit - 2);
      expect(sent.isSettled).toBe(false);
      await clock.tick(2);
      expect((await sent.outcome).status.state).toBe(state);
      await clock.tick(2);
      expect([agent.tasks.running, clock.pending]).toEqual([[], 0]);
    }
  });

  test('D21: a blocking send waits without a limit, unless maxBlockingMs is set', async () => {
    const wait = async (options: Partial<AgentOptions>, ms: number) => {
      const clock = manualClock();
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
      const agent = createAgent({ ...NAME, ...options, maxRunMs: 1e12, leaseMs: 1e10, clock, executor, store: memoryStore({ clock }) });
      const sent = follow(callerOf(agent).task('go'));
      await clock.tick(ms);
      return { sent, agent };
    };
    expect((await wait({}, 30 * 86_400_000)).sent.isSettled).toBe(false);
    expect((await wait({ maxBlockingMs: 5_000 }, 4_999)).sent.isSettled).toBe(false);
    const { sent, agent } = await wait({ maxBlockingMs: 5_000 }, 5_000);
    expect(sent.isSettled).toBe(true);
    expect((await sent.outcome).status.state, 'the current task').toBe('TASK_STATE_WORKING');
    expect(agent.tasks.running, 'the task continues').toHaveLength(1);
  });
});

describe('D21: the queue of a task', () => {
  /** Publishes texts while the store holds its commits and the clock stands still. Returns the number of accepted texts. */
  async function accepted(options: Partial<AgentOptions>, texts: readonly string[]) {
    const clock = manualClock();
    const store = failingStore(memoryStore({ clock }));
    const begin = gate();
    let count = 0;
    const executor: AgentExecutor = {
      async execute(_, events) {
        await events.appendText('a', 'first');
        await events.flush();
        await begin.passed;
        for (const text of texts) {
          await events.appendText('a', text);
          count += 1;
        }
        await events.complete();
      },
    };
    const agent = createAgent({ ...NAME, ...options, ids: { taskId: () => 't', contextId: () => 'c' }, clock, store, executor });
    const sent = follow(callerOf(agent).task('go'));
    await clock.tick();
    store.hold();
    begin.open();
    await quiet();
    const held = count;
    store.release();
    await clock.tick(10);
    const { status, artifacts } = await sent.outcome;
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifacts?.[0]?.parts).toEqual([{ text: ['first', ...texts].join('') }]);
    return held;
  }

  test.each([
    ['by default 256', {}, 256],
    ['as configured', { maxPendingEvents: 5 }, 5],
  ])('D21: at the limit of pending events, the next publish waits for room: %s', async (_name, options, limit) => {
    for (const [published, held] of [
      [limit, limit],
      [limit + 1, limit],
      [3 * limit, limit],
    ] as const) {
      expect(await accepted(options, numbers(published).map(String))).toBe(held);
    }
  });

  const around = JSON.stringify({
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: '' }] }, append: true },
  }).length;
  const ofSize = (bytes: number): string => 'x'.repeat(bytes - around);

  test.each([
    ['by default 1 MiB', {}, 1024 * 1024],
    ['as configured', { maxPendingBytes: 4_000 }, 4_000],
  ])('D21: at the limit of pending bytes, the next publish waits for room: %s', async (_name, options, limit) => {
    const quarter = limit / 4;
    const full = [...numbers(4).map(() => ofSize(quarter)), 'more', 'and more'];
    expect(await accepted(options, full)).toBe(4);
    const nearlyFull = [ofSize(quarter - 1), ...full.slice(1)];
    expect(await accepted(options, nearlyFull), 'one byte less leaves room for one event').toBe(5);
  });

  test('D21: an event above the limit is accepted if the queue is empty, and only then', async () => {
    const large = ofSize(1_500_000);
    expect(await accepted({}, [large, 'more'])).toBe(1);
    expect(await accepted({}, ['a little', large, 'more'])).toBe(2);
    expect(await accepted({ maxPendingBytes: 10 }, [large, large, large])).toBe(1);
  });
});

describe('D21: maxWaitingMessages', () => {
  /** Concurrent sends: the number of accepted ones and of refused ones. Each refusal must be RATE_LIMITED. */
  async function burst(sends: readonly Promise<unknown>[]) {
    const answers = await Promise.all(sends.map((sent) => sent.then(() => 'accepted').catch((error: A2AError) => error)));
    const refused = answers.filter((answer) => answer instanceof A2AError);
    for (const error of refused) expect(error).toMatchObject({ reason: 'RATE_LIMITED', retryable: true, retryAfterMs: 1_000 });
    return { taken: answers.length - refused.length, refused: refused.length };
  }
  const turns = numbers(200).map(() => [PARK]);

  test.each([
    ['by default 100', {}, 100],
    ['as configured', { maxWaitingMessages: 3 }, 3],
  ])('D21: of concurrent sends to a running task, those above the limit are refused: %s', async (_name, options, limit) => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns });
    const agent = createAgent({ ...NAME, ...options, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const send = (text: string) => caller.send(say(text, { taskId: id }), { returnImmediately: true });
    expect(await burst(numbers(limit + 1).map((n) => send(`${n}`)))).toEqual({ taken: limit, refused: 1 });
    expect(await burst([send('and later')])).toEqual({ taken: 0, refused: 1 });
    expect(await inboxOf(agent.settings.store, refOf(id)), 'a refused message is not stored').toHaveLength(limit);
    executor.open('end');
    await untilIdle(agent);
    expect(executor.runs).toHaveLength(1 + limit);
    expect(await burst([send('there is room again')])).toEqual({ taken: 1, refused: 0 });
    await untilIdle(agent);
  });

  test('D21: the limit also holds for a parked task that the messages wake', async () => {
    const executor = scriptedExecutor([PARK], { turns });
    const agent = createAgent({ ...NAME, maxWaitingMessages: 3, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    expect(await burst(numbers(10).map((n) => caller.send(say(`${n}`, { taskId: id }))))).toEqual({ taken: 3, refused: 7 });
    await untilIdle(agent);
    expect(executor.runs).toHaveLength(4);
  });

  test('D21: the limit also holds at every moment while a task is being parked', async () => {
    for (const moment of numbers(60)) {
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], {
        turns: [[{ do: 'gate', name: 'more' }, PARK]],
      });
      const agent = createAgent({ ...NAME, maxWaitingMessages: 3, executor });
      const caller = callerOf(agent);
      const { id } = await caller.task('go', { returnImmediately: true });
      executor.open('end');
      for (let n = 0; n < moment; n += 1) await Promise.resolve();
      const sends = numbers(10).map((n) => follow(burst([caller.send(say(`${n}`, { taskId: id }), { returnImmediately: true })])));
      await quiet();
      const rows = await inboxOf(agent.settings.store, refOf(id));
      const waiting = rows.filter(({ state }) => state === 'pending').length;
      expect(waiting, `after ${moment} microtasks`).toBeLessThanOrEqual(3);
      expect(rows.length, 'at least as many as the limit allows').toBeGreaterThanOrEqual(3);
      executor.open('more');
      await Promise.all(sends.map(({ outcome }) => outcome));
      await untilIdle(agent);
    }
  });

  test('D21: messages posted while a task is being parked count, although no run reads them yet', async () => {
    const reads = gate();
    let slow = false;
    const store = altered((inner) => ({
      async inbox(ref, after) {
        if (slow) await reads.passed;
        return inner.inbox(ref, after);
      },
      async commit(writes) {
        slow ||= writes.some(({ release }) => release); // the task is released: from here on its inbox is read slowly
        return inner.commit(writes);
      },
    }));
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns });
    const agent = createAgent({ ...NAME, store, maxWaitingMessages: 3, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    executor.open('end');
    await until(() => slow);
    await quiet();
    const sends = numbers(3).map((n) => follow(caller.task(say(`${n}`, { taskId: id }))));
    await quiet();
    expect(await burst([caller.send(say('one more', { taskId: id }))])).toEqual({ taken: 0, refused: 1 });
    reads.open();
    for (const { outcome } of sends) expect((await outcome).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await quiet();
    expect(await burst([caller.send(say('now', { taskId: id }))])).toEqual({ taken: 1, refused: 0 });
    await untilIdle(agent);
  });

  test('D21: a message that could not be posted does not count', async () => {
    let away = false;
    const store = altered((inner) => ({
      async post(ref, kind, json) {
        if (away) throw new Error('connection reset');
        return inner.post(ref, kind, json);
      },
    }));
    const executor = scriptedExecutor([PARK], { turns });
    const agent = createAgent({ ...NAME, store, maxWaitingMessages: 1, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    away = true;
    for (const _ of numbers(3))
      expect(await refusal(caller.send(say('on', { taskId: id })))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    away = false;
    expect((await caller.task(say('on', { taskId: id }))).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await untilIdle(agent);
  });
});
