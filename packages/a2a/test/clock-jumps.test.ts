/** D11: the clock of the machine may jump back or ahead; timers are not affected. */
import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../src/adapters/fetch.js';
import type { Clock } from '../src/protocol/clock.js';
import { type AgentExecutor, type AgentOptions, createAgent, memoryStore, type TaskEvents } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf, say } from './harness.js';
import { follow, logOf, refOf } from './looking.js';
import { SseReader } from './sse-reader.js';

const HOUR_MS = 3_600_000;

/** A clock whose `now()` the test can move. Its timers are those of the manual clock. */
function jumpyClock() {
  const hand = manualClock();
  let offset = 0;
  const clock: Clock = { now: () => hand.now() + offset, after: hand.after, soon: hand.soon };
  return {
    clock,
    tick: hand.tick,
    jump(ms: number): void {
      offset += ms;
    },
  };
}

/** An agent that calls `act` once per message. */
function agentOn(clock: Clock, act: (events: TaskEvents, text: string) => Promise<void>, options: Partial<AgentOptions> = {}) {
  const executor: AgentExecutor = { execute: ({ text }, events) => act(events, text) };
  return createAgent({ name: 'Jumper', clock, store: memoryStore({ clock }), executor, ...options });
}

describe('D11: a clock that jumps', () => {
  test.each([-HOUR_MS, HOUR_MS, -1])(
    'D11: by %i ms between statuses: each timestamp is at least 1 ms above the previous one',
    async (ms) => {
      const { clock, tick, jump } = jumpyClock();
      const agent = agentOn(clock, async (events) => {
        await events.working('one');
        await events.working('at once');
        jump(ms);
        await events.working('two');
        jump(ms);
        await events.complete();
      });
      const sent = callerOf(agent).task('go');
      await tick();
      const { id, status } = await sent;
      const log = await logOf(agent.settings.store, refOf(id));
      const times = log.flatMap(({ json }) => {
        const { task, statusUpdate } = JSON.parse(json);
        const { timestamp } = (task ?? statusUpdate)?.status ?? {};
        return timestamp === undefined ? [] : [Date.parse(timestamp)];
      });
      expect(times).toHaveLength(5);
      for (const [index, time] of times.slice(1).entries()) expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(1);
      expect(Date.parse(status.timestamp ?? '')).toBe(times.at(-1));
      const { head } = (await agent.settings.store.load(refOf(id))) ?? {};
      expect([head?.statusAt, Number.isSafeInteger(head?.statusAt)]).toEqual([times.at(-1), true]);
    },
  );

  test('D11: the order in ListTasks stays the same across pages, and a task that changes after the jump comes first', async () => {
    const { clock, tick, jump } = jumpyClock();
    const agent = agentOn(clock, (events, text) => (text === 'end' ? events.complete() : events.status('TASK_STATE_INPUT_REQUIRED')));
    const caller = callerOf(agent);
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c', 'd']) {
      const sent = caller.task(text);
      await tick(10);
      ids.unshift((await sent).id);
    }
    const order = async (): Promise<readonly string[]> => (await caller.list()).tasks.map(({ id }) => id);
    expect(await order()).toEqual(ids);
    const firstPage = await caller.list({ pageSize: 2 });
    jump(-HOUR_MS);
    await tick(10);
    expect(await order()).toEqual(ids);
    const secondPage = await caller.list({ pageSize: 2, pageToken: firstPage.nextPageToken });
    expect([...firstPage.tasks, ...secondPage.tasks].map(({ id }) => id)).toEqual(ids);
    const [newest = ''] = ids;
    const ended = caller.task(say('end', { taskId: newest }));
    await tick();
    await ended;
    expect(await order(), 'its new timestamp is above its last one, so it stays first').toEqual(ids);
  });

  test.each([0, 2])('D11: commits gathered for %i ms are not delayed by an hour', async (lingerMs) => {
    const { clock, tick, jump } = jumpyClock();
    const store = altered(() => ({ lingerMs }), memoryStore({ clock }));
    const agent = agentOn(
      clock,
      async (events) => {
        await events.appendText('a', 'before');
        await events.flush();
        await new Promise<void>((resolve) => void clock.after(1, resolve));
        jump(-HOUR_MS);
        await events.appendText('a', 'after'); // no unary caller waits, so the commit is not expedited
        await new Promise(() => {});
      },
      { store },
    );
    const reading = callerOf(agent).stream('go');
    await tick();
    const reader = await reading;
    await tick(1);
    await tick(lingerMs);
    expect(reader.text).toBe('beforeafter');
  });

  test('D11: the run time limit survives the jump: a turn gets neither an hour more nor an hour less', async () => {
    const { clock, tick, jump } = jumpyClock();
    const agent = createAgent({
      name: 'Jumper',
      clock,
      maxRunMs: 1_000,
      store: memoryStore({ clock }),
      executor: {
        async execute(context, events) {
          await events.working();
          await new Promise<void>((resolve) => void clock.after(400, resolve));
          await context.requireInput('well?');
          await new Promise(() => {});
        },
      },
    });
    const caller = callerOf(agent);
    const asked = caller.task('go');
    await tick(100);
    jump(-HOUR_MS);
    await tick(300);
    const { id } = await asked;
    const answered = follow(caller.task(say('yes', { taskId: id })));
    await tick(599);
    expect(answered.isSettled).toBe(false);
    await tick(401); // time before a jump back is not counted, so the run gets at most its full limit again
    expect(await answered.outcome).toMatchObject({ status: { state: 'TASK_STATE_FAILED' } });
  });

  test('D11: grace periods, blocking waits and heartbeats survive the jump', async () => {
    const { clock, tick, jump } = jumpyClock();
    const agent = agentOn(
      clock,
      async (events) => {
        await events.working();
        await new Promise(() => {});
      },
      { maxBlockingMs: 1_000, auth: 'none' },
    );
    const caller = callerOf(agent);
    const blocked = follow(caller.task('go'));
    await tick(500);
    jump(-HOUR_MS);
    await tick(500);
    expect(blocked.isSettled).toBe(true);
    const { id } = await blocked.outcome;

    const headers = { 'a2a-version': '1.0' };
    const reply = await fetchHandler(agent)(new Request(`http://agent.test/tasks/${id}:subscribe`, { headers }));
    if (reply.body === null) throw new Error('no stream');
    const reader = new SseReader(reply.body);
    await tick(14_000);
    jump(-HOUR_MS);
    await tick(1_000);
    expect((await reader.next())?.data, 'the Task').toContain(id);
    expect(await reader.next(), 'a heartbeat').toEqual({ comment: '' });
    await reader.cancel();

    const canceled = follow(caller.cancel(id));
    await tick(1_500);
    jump(-HOUR_MS);
    await tick(1_499);
    expect(canceled.isSettled).toBe(false);
    await tick(1);
    expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
  });
});
