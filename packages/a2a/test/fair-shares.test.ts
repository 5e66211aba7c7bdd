/** F65 to F67, D58: limits per caller and in total. Beyond a share a caller is refused or parked, and no other caller loses anything. */
import { describe, expect, test } from 'vitest';
import { type AgentOptions, createAgent, memoryStore } from '../src/server/index.js';
import type { Share } from '../src/server/limits/share-counter.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, type Reader, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal, storyOf, until, untilIdle } from './looking.js';

const LIMITED = { reason: 'RATE_LIMITED', httpStatus: 429, retryable: true, retryAfterMs: 1_000 };
const FULL = { reason: 'AGENT_UNAVAILABLE', httpStatus: 503, retryable: true, retryAfterMs: 1_000 };
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const at = (address: string, factor = 1): { readonly share: Share } => ({ share: { key: `address ${address}`, factor } });

/** Tasks that run until the gate opens, ask and then complete, or ask by their last status. */
function agentOf(options: Partial<AgentOptions> = {}) {
  const end = gate();
  const agent = createAgent({
    name: 'Fair',
    ...options,
    executor: {
      async execute(context, events) {
        if (context.text === 'ask') await context.requireInput('Well?');
        else if (context.text === 'login') await context.requireAuth('Sign in?');
        else if (context.text === 'park') return events.status('TASK_STATE_INPUT_REQUIRED');
        else await events.working();
        if (context.text !== 'short') await end.passed;
        await events.complete(`attempt ${context.attempt}`);
      },
    },
  });
  const caller = (id: string) => callerOf(agent, { id });
  const begin = (id: string) => caller(id).task('go', { returnImmediately: true });
  return { agent, caller, begin, end };
}

describe('F66: running tasks per caller', () => {
  test.each<[string, Partial<AgentOptions>, number]>([
    ['by default a tenth of maxRunningTasks', {}, 100],
    ['by default a tenth of maxRunningTasks, as configured', { maxRunningTasks: 29 }, 2],
    ['at least one', { maxRunningTasks: 3 }, 1],
    ['as configured', { maxRunningTasksPerCaller: 3 }, 3],
  ])('F66: at its share a caller is refused, and other callers are not: %s', async (_name, options, share) => {
    const { agent, caller, begin, end } = agentOf({ cancelGraceMs: 1, ...options });
    const [first] = await Promise.all(numbers(share).map(() => begin('ann')));
    for (const refused of [() => begin('ann'), () => caller('ann').stream('go')]) expect(await refusal(refused())).toMatchObject(LIMITED);
    expect((await caller('ann').list()).totalSize, 'no task was stored for the refused send').toBe(share);
    await begin('bob');
    await caller('ann').cancel(first?.id ?? '');
    await quiet();
    await begin('ann');
    expect(await refusal(begin('ann'))).toMatchObject(LIMITED);
    end.open();
    await untilIdle(agent);
  });

  test('F66: all callers together are refused beyond the total, also a caller that runs nothing', async () => {
    const { agent, begin, end } = agentOf({ maxRunningTasks: 4, maxRunningTasksPerCaller: 2 });
    for (const id of ['ann', 'ann', 'bob', 'bob']) await begin(id);
    expect(await refusal(begin('cid'))).toMatchObject(FULL);
    end.open();
    await untilIdle(agent);
    await begin('cid');
  });

  test('F66: anonymous callers are counted by address, ten times as many where a proxy may stand for many', async () => {
    const { agent, end } = agentOf({ maxRunningTasks: 60, maxRunningTasksPerCaller: 2 });
    const anonymous = (share: { readonly share: Share }) => callerOf(agent, { id: '' }, share).task('go', { returnImmediately: true });
    for (const _ of numbers(2)) await anonymous(at('192.0.2.1'));
    expect(await refusal(anonymous(at('192.0.2.1')))).toMatchObject(LIMITED);
    for (const _ of numbers(20)) await anonymous(at('10.0.0.1', 10));
    expect(await refusal(anonymous(at('10.0.0.1', 10)))).toMatchObject(LIMITED);
    await anonymous(at('192.0.2.2'));
    end.open();
    await untilIdle(agent);
  });

  test('F66: a reply whose run would exceed the share is refused and not stored, whether the run is live or parked', async () => {
    const { agent, caller, begin, end } = agentOf({ maxRunningTasksPerCaller: 1 });
    const live = await caller('ann').task('ask');
    const parked = await caller('ann').task('park');
    await until(() => agent.tasks.running.length === 1);
    await begin('ann');
    for (const { id } of [live, parked]) {
      expect(await refusal(caller('ann').send(say('short', { taskId: id })))).toMatchObject(LIMITED);
      expect(await inboxOf(agent.settings.store, refOf(id, { owner: 'ann' }))).toEqual([]);
    }
    end.open();
    await until(() => agent.tasks.running.length === 1);
    for (const { id } of [live, parked]) {
      expect((await caller('ann').task(say('short', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
      await quiet();
    }
    await untilIdle(agent);
  });

  test.each(['ask', 'park'])('F66: concurrent replies cannot exceed the share (%s)', async (kind) => {
    const { agent, caller, end } = agentOf({ maxRunningTasksPerCaller: 3, maxWaitingRunsPerCaller: 20 });
    const ann = caller('ann');
    const asked = [];
    for (const _ of numbers(10)) asked.push(await ann.task(kind));
    if (kind === 'park') await untilIdle(agent);
    const sent = asked.map(({ id }) => follow(ann.task(say('go', { taskId: id }))));
    const answers = Promise.allSettled(sent.map(({ outcome }) => outcome));
    await quiet();
    expect(sent.filter(({ isSettled }) => isSettled)).toHaveLength(7);
    end.open();
    const refused = (await answers).flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refused).toHaveLength(7);
    for (const error of refused) expect(error).toMatchObject(LIMITED);
  });

  test('F66: a message to a running task needs no place', async () => {
    const { agent, caller, begin, end } = agentOf({ maxRunningTasksPerCaller: 1 });
    const { id } = await begin('ann');
    await caller('ann').send(say('more', { taskId: id }), { returnImmediately: true });
    expect(await inboxOf(agent.settings.store, refOf(id, { owner: 'ann' }))).toHaveLength(1);
    end.open();
    await untilIdle(agent);
  });

  test('F66: however runs end, all places are free afterwards', async () => {
    const hold = gate();
    const agent = createAgent({
      name: 'Fair',
      maxRunningTasksPerCaller: 4,
      maxWaitingRunsPerCaller: 2,
      executor: {
        async execute({ text, requireInput, requireAuth }, events) {
          if (text === 'message') return events.reply('hi');
          if (text === 'crash') throw new Error('crash');
          if (text === 'hold') await Promise.all([events.working(), hold.passed]);
          if (text === 'park') return events.status('TASK_STATE_INPUT_REQUIRED');
          if (text === 'ask') await requireInput('Well?');
          if (text === 'login') await requireAuth('Sign in?');
          if (text === 'race') await Promise.race([requireInput('Well?'), quiet()]);
          if (text === 'busy') await Promise.all([requireInput('Well?'), quiet().then(() => events.working('still busy'))]);
          await events.complete();
        },
      },
    });
    const ann = callerOf(agent, { id: 'ann' });
    const kinds = ['ask', 'message', 'login', 'crash', 'park', 'race', 'ask', 'busy', 'ask', 'login', 'ask'];
    for (const kind of kinds) await ann.send(kind).catch(() => {});
    await quiet();
    const { tasks } = await ann.list();
    for (const [n, { id }] of tasks.entries()) {
      const sent = n % 2 === 0 ? ann.cancel(id) : ann.send(say('reply', { taskId: id }));
      await sent.catch(() => {});
    }
    await refusal(ann.send(say('x', { taskId: 'unknown' })));
    await untilIdle(agent);
    for (const _ of numbers(4)) await ann.task('hold', { returnImmediately: true });
    expect(await refusal(ann.task('hold'))).toMatchObject(LIMITED);
    for (const _ of numbers(4)) await refusal(ann.task('ask'));
    expect(agent.tasks.running).toHaveLength(4);
    hold.open();
    await untilIdle(agent);
  });
});

describe('F65: live runs that wait for replies', () => {
  const WAITING = [
    ['maxWaitingRunsPerCaller', { maxWaitingRunsPerCaller: 2 }, ['ann', 'ann', 'ann']],
    ['by default a tenth of maxWaitingRuns', { maxWaitingRuns: 20 }, ['ann', 'ann', 'ann']],
    ['maxWaitingRuns', { maxWaitingRuns: 2, maxWaitingRunsPerCaller: 2 }, ['ann', 'bob', 'cid']],
  ] as const;

  test.each(WAITING)('F65: one run more than the limit, and the longest-waiting one is parked: %s', async (_name, options, callers) => {
    for (const kind of ['ask', 'login']) {
      const { agent, caller, end } = agentOf(options);
      end.open();
      const asked: { readonly id: string; readonly owner: string }[] = [];
      for (const owner of callers.slice(0, -1)) asked.push({ id: (await caller(owner).task(kind)).id, owner });
      await quiet();
      expect(agent.tasks.running, 'at the limit all runs are live').toHaveLength(2);
      const [last = ''] = callers.slice(-1);
      asked.push({ id: (await caller(last).task(kind)).id, owner: last });
      await until(() => agent.tasks.running.length === 2);
      expect(agent.tasks.running.map(({ taskId }) => taskId)).toEqual(asked.slice(1).map(({ id }) => id));
      const [first = { id: '', owner: '' }, ...others] = asked;
      expect((await storyOf(agent.settings.store, refOf(first.id, first))).at(-1)).toBe('note:parked');
      const answer = async ({ id, owner }: typeof first) => (await caller(owner).task(say('yes', { taskId: id }))).status.message?.parts;
      expect(await answer(first), '`execute` restarts with the reply').toEqual([{ text: 'attempt 2' }]);
      for (const other of others) expect(await answer(other)).toEqual([{ text: 'attempt 1' }]);
      await untilIdle(agent);
    }
  });

  test('F65: the waiting runs of one caller do not park those of another', async () => {
    const { agent, caller } = agentOf({ maxWaitingRuns: 100, maxWaitingRunsPerCaller: 5 });
    const { id } = await caller('bob').task('ask');
    for (const _ of numbers(30)) await caller('ann').task('ask');
    await until(() => agent.tasks.running.length === 6);
    expect(agent.tasks.running[0]?.taskId).toBe(id);
  });

  test.each<[string, Partial<AgentOptions>, string]>([
    ['of the caller', { maxWaitingRunBytesPerCaller: 100_000 }, 'ann'],
    ['by default a tenth', { maxWaitingRunBytes: 1_000_000 }, 'ann'],
    ['of all', { maxWaitingRunBytes: 100_000, maxWaitingRunBytesPerCaller: 100_000 }, 'bob'],
  ])('F65: the size of waiting tasks is limited, too: %s', async (_name, options, last) => {
    const { agent, caller } = agentOf(options);
    // The message is in two events, the input and the Task: about 40 kB of each limit.
    const large = () => say([{ text: 'ask' }, { data: 'x'.repeat(20_000) }]);
    const first = await caller('ann').task(large());
    const second = await caller('ann').task(large());
    await quiet();
    expect(agent.tasks.running.map(({ taskId }) => taskId)).toEqual([first.id, second.id]);
    const third = await caller(last).task(large());
    await until(() => agent.tasks.running.length === 2);
    expect(agent.tasks.running.map(({ taskId }) => taskId)).toEqual([second.id, third.id]);
  });

  test('F65: a run that is about to get its reply is not parked', async () => {
    const { agent, caller, end } = agentOf({ maxWaitingRunsPerCaller: 1 });
    end.open();
    const ann = caller('ann');
    const { id } = await ann.task('ask');
    const replied = ann.task(say('yes', { taskId: id }));
    const second = ann.task('ask');
    expect((await replied).status.message?.parts).toEqual([{ text: 'attempt 1' }]);
    await second;
    expect(agent.tasks.running).toHaveLength(1);
  });

  test('F65: thousands of open questions leave only the allowed runs in memory, and each can be answered', async () => {
    const { agent, caller, end } = agentOf({ maxWaitingRunsPerCaller: 10, maxRunningTasks: 100 });
    end.open();
    const ann = caller('ann');
    const ids: string[] = [];
    let most = 0;
    for (const _ of numbers(500)) {
      ids.push((await ann.task('ask')).id);
      most = Math.max(most, agent.tasks.running.length);
    }
    expect(most, 'with the run that asks and the run that is being parked').toBeLessThanOrEqual(12);
    await until(() => agent.tasks.running.length === 10);
    for (const id of [ids[0], ids[250], ids[499]]) {
      expect((await ann.task(say('yes', { taskId: id ?? '' }))).status.state).toBe('TASK_STATE_COMPLETED');
    }
  });
});

describe('F67: streams and open calls', () => {
  const waiting = (options: Partial<AgentOptions> = {}) => {
    const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }]);
    return createAgent({ name: 'Fair', executor, ...options });
  };

  test.each([
    ['by default 100', {}, 100],
    ['as configured', { maxReadersPerCaller: 3 }, 3],
  ])('F67: the streams of anonymous callers are limited per address: %s', async (_name, options, limit) => {
    const agent = waiting(options);
    const here = callerOf(agent, { id: '' }, at('192.0.2.1'));
    const { id } = await here.task('go');
    const readers: Reader[] = [];
    for (const _ of numbers(limit)) readers.push(await here.subscribe(id));
    expect(await refusal(here.subscribe(id))).toMatchObject(LIMITED);
    expect(await refusal(here.stream('go'))).toMatchObject(LIMITED);
    const there = await callerOf(agent, { id: '' }, at('192.0.2.2')).subscribe(id);
    readers.pop()?.close();
    readers.push(await here.subscribe(id));
    expect(await refusal(here.subscribe(id))).toMatchObject(LIMITED);
    for (const reader of [there, ...readers]) reader.close();
  });

  test('F67: all streams of a process together are limited by maxReaders', async () => {
    const agent = waiting({ maxReaders: 3 });
    expect(waiting().settings.maxReaders).toBe(10_000);
    const { id } = await callerOf(agent).task('go');
    const readers: Reader[] = [];
    for (const n of numbers(3)) readers.push(await callerOf(agent, { id: '' }, at(`192.0.2.${n}`)).subscribe(id));
    const fourth = callerOf(agent, { id: '' }, at('192.0.2.9'));
    for (const refused of [() => fourth.subscribe(id), () => fourth.stream('go')]) expect(await refusal(refused())).toMatchObject(FULL);
    readers.pop()?.close();
    (await fourth.subscribe(id)).close();
  });

  test('F67: a stream whose message waits for its task counts as well', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const agent = createAgent({ name: 'Fair', clock, store: memoryStore({ clock }), executor, maxReadersPerCaller: 2 });
    const ann = callerOf(agent, { id: 'ann' });
    const begun = ann.task('go', { returnImmediately: true });
    await clock.tick();
    const { id } = await begun;
    const streams = numbers(2).map((n) => follow(ann.stream(say(`${n}`, { taskId: id }))));
    await clock.tick(16_000);
    expect(
      streams.every(({ isSettled }) => isSettled),
      'their headers are sent',
    ).toBe(true);
    const readers = await Promise.all(streams.map(({ outcome }) => outcome));
    expect(await refusal(ann.stream(say('2', { taskId: id })))).toMatchObject(LIMITED);
    expect(await refusal(ann.subscribe(id))).toMatchObject(LIMITED);
    executor.open('end');
    for (const reader of readers) reader.ended.catch(() => {});
    await clock.tick(10);
    await (await ann.stream('short')).until(1);
  });

  test.each([
    ['per caller', { maxOpenCallsPerCaller: 3 }, LIMITED],
    ['by default a tenth of maxOpenCalls', { maxOpenCalls: 30 }, LIMITED],
    ['in total', { maxOpenCalls: 3, maxOpenCallsPerCaller: 3 }, FULL],
  ])('F67: calls that wait for their answers are limited: %s', async (name, options, expected) => {
    const { agent, caller, begin, end } = agentOf({ cancelGraceMs: 1, ...options });
    const { id } = await begin('ann');
    const key = { idempotencyKey: 'one' };
    const message = say('go');
    const ann = caller('ann');
    const open = numbers(3).map(() => follow(ann.send(message, undefined, key)));
    await quiet();
    const refused = caller(name === 'in total' ? 'bob' : 'ann');
    expect(await refusal(refused.send(message, undefined, key))).toMatchObject(expected);
    expect(await refusal(refused.cancel(id))).toMatchObject(expected);
    expect((await ann.get(id)).status.state, 'short calls are served').toBe('TASK_STATE_WORKING');
    if (name !== 'in total') await begin('bob');
    end.open();
    await Promise.all(open.map(({ outcome }) => outcome));
    await untilIdle(agent);
    await caller('ann').task('short');
  });
});
