/** D21 for what runs and what waits: each limit at n and at n + 1. */
import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import { type AgentExecutor, type AgentOptions, createAgent, memory } from '../src/server/index.js';
import { failingStore, handClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal, until, untilIdle } from './looking.js';

const NAME = { name: 'Bounded' };
const PARK: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') };
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

describe('D21: maxRunningTasks', () => {
  test.each([
    ['by default 1,000', {}, 1_000],
    ['as it was set', { maxRunningTasks: 3 }, 3],
  ])('D21: so many run at once, one more is refused and may come back when one has ended: %s', async (_name, options, limit) => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const agent = createAgent({ ...NAME, ...options, executor });
    const caller = callerOf(agent);
    const tasks = await Promise.all(numbers(limit).map(() => caller.task('go', { returnImmediately: true })));
    expect(agent.tasks).toHaveLength(limit);
    for (const refused of [() => caller.send('one more'), () => caller.stream('one more')]) {
      expect(await refusal(refused())).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 });
    }
    expect((await caller.list()).totalSize, 'nothing was stored for it').toBe(limit);
    await caller.cancel(tasks[0]?.id ?? '');
    await quiet();
    await caller.task('now there is room', { returnImmediately: true });
    expect(await refusal(caller.send('one more'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    executor.open('end');
    await untilIdle(agent);
  });

  test('D21: a message that would wake a parked task is refused as well, and not kept', async () => {
    const executor = scriptedExecutor([PARK], { turns: [[{ do: 'gate', name: 'end' }, { do: 'complete' }]] });
    const agent = createAgent({ ...NAME, maxRunningTasks: 1, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('ask');
    await untilIdle(agent);
    const running = follow(caller.task('go'));
    await until(() => agent.tasks.length === 1);
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
    ['as it was set', { maxRunMs: 70 }, 70],
  ])('D21: a turn may run until maxRunMs and no longer: %s', async (_name, options, limit) => {
    for (const [takes, state] of [
      [limit - 1, 'TASK_STATE_COMPLETED'],
      [limit + 1, 'TASK_STATE_FAILED'],
    ] as const) {
      const clock = handClock();
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'sleep', ms: takes }, { do: 'complete' }]);
      const agent = createAgent({ ...NAME, ...options, clock, executor, store: memory({ clock }) });
      const sent = follow(callerOf(agent).task('go'));
      await clock.tick(limit - 2);
      expect(sent.isSettled).toBe(false);
      await clock.tick(2);
      expect((await sent.outcome).status.state).toBe(state);
      await clock.tick(2);
      expect([agent.tasks, clock.pending]).toEqual([[], 0]);
    }
  });

  test('D21: a blocking send waits as long as the protocol wants, unless maxBlockingMs says otherwise', async () => {
    const wait = async (options: Partial<AgentOptions>, ms: number) => {
      const clock = handClock();
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
      const agent = createAgent({ ...NAME, ...options, maxRunMs: 1e12, leaseMs: 1e10, clock, executor, store: memory({ clock }) });
      const sent = follow(callerOf(agent).task('go'));
      await clock.tick(ms);
      return { sent, agent };
    };
    expect((await wait({}, 30 * 86_400_000)).sent.isSettled).toBe(false);
    expect((await wait({ maxBlockingMs: 5_000 }, 4_999)).sent.isSettled).toBe(false);
    const { sent, agent } = await wait({ maxBlockingMs: 5_000 }, 5_000);
    expect(sent.isSettled).toBe(true);
    expect((await sent.outcome).status.state, 'the task as it is').toBe('TASK_STATE_WORKING');
    expect(agent.tasks, 'and it goes on').toHaveLength(1);
  });
});

describe('D21: the queue of a task', () => {
  /** Publishes texts against a store that takes nothing, on a clock that stands still: counts those that were accepted. */
  async function accepted(options: Partial<AgentOptions>, texts: readonly string[]) {
    const clock = handClock();
    const store = failingStore(memory({ clock }));
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
    ['as it was set', { maxPendingEvents: 5 }, 5],
  ])('D21: so many events wait for the store, the next publish waits for room: %s', async (_name, options, limit) => {
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
    ['as it was set', { maxPendingBytes: 4_000 }, 4_000],
  ])('D21: the same for so many bytes: %s', async (_name, options, limit) => {
    const quarter = limit / 4;
    const full = [...numbers(4).map(() => ofSize(quarter)), 'more', 'and more'];
    expect(await accepted(options, full)).toBe(4);
    const nearlyFull = [ofSize(quarter - 1), ...full.slice(1)];
    expect(await accepted(options, nearlyFull), 'one byte less leaves room for one event').toBe(5);
  });

  test('D21: an event above the bound is accepted when the queue is empty, and only then', async () => {
    const large = ofSize(1_500_000);
    expect(await accepted({}, [large, 'more'])).toBe(1);
    expect(await accepted({}, ['a little', large, 'more'])).toBe(2);
    expect(await accepted({ maxPendingBytes: 10 }, [large, large, large])).toBe(1);
  });
});

describe('D21: maxWaitingMessages', () => {
  /** Everything that was sent in one instant: how many were taken in, and what the others were told. */
  async function burst(sends: readonly Promise<unknown>[]) {
    const answers = await Promise.all(sends.map((sent) => sent.then(() => 'taken in').catch((error: A2AError) => error)));
    const refused = answers.filter((answer) => answer instanceof A2AError);
    for (const error of refused) expect(error).toMatchObject({ reason: 'RATE_LIMITED', retryable: true, retryAfterMs: 1_000 });
    return { taken: answers.length - refused.length, refused: refused.length };
  }
  const turns = numbers(200).map(() => [PARK]);

  test.each([
    ['by default 100', {}, 100],
    ['as it was set', { maxWaitingMessages: 3 }, 3],
  ])('D21: of all that are sent to a running task in one instant so many wait, the rest is refused: %s', async (_name, options, limit) => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns });
    const agent = createAgent({ ...NAME, ...options, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const send = (text: string) => caller.send(say(text, { taskId: id }), { returnImmediately: true });
    expect(await burst(numbers(limit + 1).map((n) => send(`${n}`)))).toEqual({ taken: limit, refused: 1 });
    expect(await burst([send('and later')])).toEqual({ taken: 0, refused: 1 });
    expect(await inboxOf(agent.settings.store, refOf(id)), 'a refused message is not kept').toHaveLength(limit);
    executor.open('end');
    await untilIdle(agent);
    expect(executor.runs).toHaveLength(1 + limit);
    expect(await burst([send('there is room again')])).toEqual({ taken: 1, refused: 0 });
    await untilIdle(agent);
  });

  test('D21: the same for a parked task, whose messages wake it', async () => {
    const executor = scriptedExecutor([PARK], { turns });
    const agent = createAgent({ ...NAME, maxWaitingMessages: 3, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    expect(await burst(numbers(10).map((n) => caller.send(say(`${n}`, { taskId: id }))))).toEqual({ taken: 3, refused: 7 });
    await untilIdle(agent);
    expect(executor.runs).toHaveLength(4);
  });

  test('D21: the same at every moment while a task is being parked', async () => {
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
      expect(waiting, `after ${moment} moments`).toBeLessThanOrEqual(3);
      expect(rows.length, 'at least the places that there are').toBeGreaterThanOrEqual(3);
      executor.open('more');
      await Promise.all(sends.map(({ outcome }) => outcome));
      await untilIdle(agent);
    }
  });

  test('D21: what is posted while a task is being parked counts, although nobody reads it yet', async () => {
    const reads = gate();
    let slow = false;
    const store = altered((inner) => ({
      async inbox(ref, after) {
        if (slow) await reads.passed;
        return inner.inbox(ref, after);
      },
      async commit(writes) {
        slow ||= writes.some(({ release }) => release); // the task is let go: from here on its mail is read slowly
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

  test('D21: a place is given back when the message could not be posted', async () => {
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
