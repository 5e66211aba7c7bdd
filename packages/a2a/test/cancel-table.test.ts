/** The cancel table of D19: whatever the run does, the final state, the response and the streams are complete within 3.5 s. */
import { describe, expect, test } from 'vitest';
import { type AgentExecutor, createAgent, memoryBus, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf, gate } from './harness.js';
import { follow, inboxOf, logOf, quiet, refOf, refusal, storyOf } from './looking.js';

const LIMIT_MS = 3_500;
const GRACE_MS = 3_000;
const NEVER = new Promise<never>(() => {});

/** Rejects with the reason of the signal when it aborts. */
const aborted = ({ signal }: RequestContext): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const later = ({ clock }: RequestContext, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

type Run = (context: RequestContext, events: TaskEvents) => Promise<void>;
const obeys: Run = aborted;
const ignores: Run = () => NEVER;
const silent: Run = async () => {};

interface Row {
  readonly execute: Run;
  readonly cancel?: Run;
  readonly ends: 'CANCELED' | 'FAILED' | 'COMPLETED';
  /** The exact time at which the cancel ends, not a millisecond earlier. */
  readonly afterMs: number;
  readonly says?: string;
}

const TABLE: Readonly<Record<string, Row>> = {
  'obeys the signal and has no cancel()': { execute: obeys, ends: 'CANCELED', afterMs: 0 },
  'obeys the signal and has a cancel() that publishes nothing': { execute: obeys, cancel: silent, ends: 'CANCELED', afterMs: 0 },
  'obeys the signal, and whose cancel() publishes CANCELED': {
    execute: obeys,
    cancel: (_, events) => events.canceled('as you wish'),
    ends: 'CANCELED',
    afterMs: 0,
    says: 'as you wish',
  },
  'obeys the signal and returns': { execute: (context) => aborted(context).catch(() => {}), cancel: silent, ends: 'CANCELED', afterMs: 0 },
  'obeys after 2,999 ms of cleanup': {
    execute: (context) => aborted(context).catch(() => later(context, GRACE_MS - 1)),
    ends: 'CANCELED',
    afterMs: GRACE_MS - 1,
  },
  'needs 3,001 ms of cleanup': {
    execute: (context) => aborted(context).catch(() => later(context, GRACE_MS + 1)),
    ends: 'CANCELED',
    afterMs: GRACE_MS,
  },
  'ignores the signal and has no cancel()': { execute: ignores, ends: 'CANCELED', afterMs: GRACE_MS },
  'ignores the signal and has a cancel() that publishes nothing': { execute: ignores, cancel: silent, ends: 'CANCELED', afterMs: GRACE_MS },
  'ignores the signal and continues to publish': {
    async execute(context, events) {
      for (;;) {
        await events.appendText('a', 'blah ');
        await later(context, 100);
      }
    },
    ends: 'CANCELED',
    afterMs: GRACE_MS,
  },
  'throws when it is aborted': {
    execute: (context) =>
      aborted(context).catch(() => {
        throw new Error('my own clean-up failed');
      }),
    ends: 'CANCELED',
    afterMs: 0,
  },
  'obeys while cancel() throws': { execute: obeys, cancel: () => Promise.reject(new Error('no')), ends: 'CANCELED', afterMs: 0 },
  'ignores the signal while cancel() throws': {
    execute: ignores,
    cancel: () => Promise.reject(new Error('no')),
    ends: 'CANCELED',
    afterMs: GRACE_MS,
  },
  'obeys while cancel() hangs': { execute: obeys, cancel: ignores, ends: 'CANCELED', afterMs: GRACE_MS },
  'ignores the signal while cancel() hangs': { execute: ignores, cancel: ignores, ends: 'CANCELED', afterMs: GRACE_MS },
  'ignores the signal while cancel() publishes FAILED': {
    execute: ignores,
    cancel: (_, events) => events.fail('could not be stopped'),
    ends: 'FAILED',
    afterMs: 0,
    says: 'could not be stopped',
  },
  'completes first when it is aborted': {
    execute: (context, events) => aborted(context).catch(() => events.complete('I was done anyway')),
    ends: 'COMPLETED',
    afterMs: 0,
    says: 'I was done anyway',
  },
  'completes first at the end of the grace period': {
    execute: (context, events) =>
      aborted(context).catch(async () => {
        await later(context, GRACE_MS - 1);
        await events.complete('just in time');
      }),
    ends: 'COMPLETED',
    afterMs: GRACE_MS - 1,
    says: 'just in time',
  },
  'completes first while cancel() hangs': {
    execute: (context, events) => aborted(context).catch(() => events.complete('I was done anyway')),
    cancel: ignores,
    ends: 'COMPLETED',
    afterMs: 0,
    says: 'I was done anyway',
  },
};

/** One running task on a manual clock, with a blocking send and streams that wait for it. */
async function atWork({ execute, cancel }: Pick<Row, 'execute' | 'cancel'>) {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const executor: AgentExecutor = {
    async execute(context, events) {
      await events.working();
      await execute(context, events);
    },
    ...(cancel && { cancel }),
  };
  const agent = createAgent({ name: 'Table', clock, store, executor, ids: { taskId: () => 'the-task' } });
  const caller = callerOf(agent);
  const sent = follow(caller.task('go'));
  await clock.tick();
  const watcher = await caller.subscribe('the-task');
  const replay = await caller.subscribe('the-task', '0');
  await clock.tick();
  return { agent, caller, clock, id: 'the-task', replay, sent, store, watcher };
}

describe('D19: the cancel table', () => {
  test.each(Object.entries(TABLE))('D19: a run that %s', async (_name, { ends, afterMs, says, ...run }) => {
    const { agent, caller, clock, id, replay, sent, store, watcher } = await atWork(run);
    const canceled = follow(caller.cancel(id));
    const again = follow(caller.cancel(id));
    const everybody = [canceled, again, sent, follow(watcher.ended), follow(replay.ended)];
    const isOver = (): readonly boolean[] => everybody.map(({ isSettled }) => isSettled);
    if (afterMs > 0) await clock.tick(afterMs - 1);
    if (afterMs > 0) expect(canceled.isSettled, 'the grace period is not cut short').toBe(false);
    await clock.tick(afterMs > 0 ? 1 : 0);
    expect(isOver(), 'the response, the send and the streams').toEqual(everybody.map(() => true));

    const task = await canceled.outcome;
    expect(task.status.state).toBe(`TASK_STATE_${ends}`);
    expect(task.status.message?.parts[0]?.text).toBe(says);
    expect(await caller.get(id)).toEqual(task);
    expect(await again.outcome, 'two cancels get the same response').toEqual(task);
    expect(await sent.outcome, 'the send that started the task').toEqual(task);
    for (const reader of [watcher, replay]) {
      await reader.all();
      expect(reader.seen.at(-1)?.statusUpdate?.status).toEqual(task.status);
    }
    const log = await logOf(store, refOf(id));
    await clock.tick(LIMIT_MS - afterMs);
    await quiet();
    expect(await logOf(store, refOf(id)), 'no event follows').toEqual(log);
    expect((await storyOf(store, refOf(id))).filter((line) => /CANCELED|FAILED|COMPLETED/.test(line))).toEqual([`status:${ends}`]);
    expect((await inboxOf(store, refOf(id))).filter(({ state }) => state === 'pending')).toEqual([]);
    expect(agent.tasks.running).toEqual([]);
    if (ends === 'CANCELED') expect(await caller.cancel(id)).toEqual(task);
    else expect(await refusal(caller.cancel(id))).toMatchObject({ reason: 'TASK_NOT_CANCELABLE', code: -32002 });
  });

  test.each(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'] as const)(
    'D19: a task that is parked in %s is CANCELED as soon as cancel() has returned',
    async (state) => {
      const cancels: RequestContext[] = [];
      const { agent, caller, clock, id, sent, store, watcher } = await atWork({
        execute: (_, events) => events.status(state, 'well?'),
        cancel: async (context) => void cancels.push(context),
      });
      expect((await sent.outcome).status.state).toBe(state);
      expect(agent.tasks.running).toEqual([]);
      const canceled = follow(caller.cancel(id));
      await clock.tick();
      expect(canceled.isSettled, 'without a grace period').toBe(true);
      expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
      await watcher.all();
      expect(watcher.seen.at(-1)?.statusUpdate?.status).toEqual((await caller.get(id)).status);
      await clock.tick(LIMIT_MS);
      expect(cancels.map(({ taskId, signal }) => [taskId, signal.aborted])).toEqual([[id, true]]);
      expect((await storyOf(store, refOf(id))).at(-1)).toBe('status:CANCELED');
      expect(agent.tasks.running).toEqual([]);
    },
  );

  test('D19: a run that waits inside requireInput is live: its signal aborts, and it ends at once', async () => {
    const cancels: RequestContext[] = [];
    const { caller, clock, id, watcher } = await atWork({
      execute: async (context, events) => events.complete(await context.requireInput('well?')),
      cancel: async (context) => void cancels.push(context),
    });
    const canceled = follow(caller.cancel(id));
    await clock.tick();
    expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
    await watcher.all();
    expect(watcher.states.at(-1)).toBe('CANCELED');
    expect(cancels).toHaveLength(1);
  });

  /** A task of a node whose clock never advances, so that its lease expires by the clock of the store. */
  async function ownerDead(execute: Run) {
    const [clock, deadClock, storeClock] = [manualClock(), manualClock(), manualClock()];
    const store = memoryStore({ clock: storeClock });
    const bus = memoryBus();
    const cancels: RequestContext[] = [];
    const cancel = async (context: RequestContext): Promise<void> => void cancels.push(context);
    const work: Run = async (context, events) => {
      await events.appendText('a', 'half of it');
      await events.flush();
      await execute(context, events);
    };
    const dead = createAgent({ name: 'Table', node: 'dead', clock: deadClock, store, bus, executor: { execute: work, cancel } });
    const starting = callerOf(dead).task('go', { returnImmediately: true });
    await deadClock.tick();
    const { id } = await starting;
    const executor = { execute: () => expect.unreachable('execute must not be called'), cancel };
    const agent = createAgent({ name: 'Table', node: 'survivor', clock, store, bus, executor });
    await clock.tick();
    await storeClock.tick(3_600_000); // the owner has sent no heartbeat for an hour, and the survivor has not looked for orphans since
    return { agent, bus, caller: callerOf(agent), cancels, clock, dead, deadClock, id, store };
  }

  test('D19: the node that receives the cancel of a task whose owner is dead calls cancel() and writes CANCELED', async () => {
    const { agent, caller, cancels, clock, id, store } = await ownerDead(ignores);
    const watcher = await caller.subscribe(id);
    const canceled = follow(caller.cancel(id));
    await clock.tick();
    expect(canceled.isSettled, 'without a grace period').toBe(true);
    const task = await canceled.outcome;
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' }, artifacts: [{ parts: [{ text: 'half of it' }] }] });
    await watcher.all();
    expect(watcher.seen.at(-1)?.statusUpdate?.status).toEqual(task.status);
    await clock.tick(LIMIT_MS);
    expect((await storyOf(store, refOf(id))).filter((line) => line.startsWith('status:'))).toEqual(['status:CANCELED']);
    expect(agent.tasks.running).toEqual([]);
    expect(cancels.map(({ taskId }) => taskId)).toEqual([id]);
  });

  test('D19: an owner that was only paused and completes later changes nothing: the first final commit wins, also for its readers', async () => {
    const wake = gate();
    const { caller, clock, dead, deadClock, id, store } = await ownerDead(async (_, events) => {
      await wake.passed;
      await events.complete('too late');
    });
    const sleepy = await callerOf(dead).subscribe(id);
    const canceled = caller.cancel(id);
    await clock.tick();
    const task = await canceled;
    wake.open();
    await deadClock.tick();
    await clock.tick(LIMIT_MS);
    expect(await callerOf(dead).get(id)).toEqual(task);
    await sleepy.all();
    expect(sleepy.seen.at(-1)?.statusUpdate?.status).toEqual(task.status);
    expect((await storyOf(store, refOf(id))).filter((line) => line.startsWith('status:'))).toEqual(['status:CANCELED']);
    expect(dead.tasks.running).toEqual([]);
  });
});
