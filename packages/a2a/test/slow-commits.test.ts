import { describe, expect, test } from 'vitest';
import { type AgentExecutor, createAgent, memoryStore, type TaskEvents } from '../src/server/index.js';
import { failingStore } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { follow, quiet, refusal, until, untilIdle } from './looking.js';

const NAME = { name: 'Slow' };

/** A task that publishes more before each commit has ended, on a store that commits when the test says so: a commit is always in flight. */
async function streaming() {
  const store = failingStore(memoryStore());
  const end = gate();
  let speaker: TaskEvents | undefined;
  const agent = createAgent({
    ...NAME,
    store,
    executor: {
      async execute(_context, events) {
        speaker = events;
        await events.working();
        await events.flush();
        await end.passed;
        await events.complete();
      },
    },
  });
  const caller = callerOf(agent);
  const { id } = await caller.task('go', { returnImmediately: true });
  await quiet();
  /** Publishes and flushes: the commit follows directly after the one in flight. */
  const speak = (): void => {
    void speaker?.appendText('a', 'x');
    void speaker?.flush();
  };
  store.hold();
  speak();
  await until(() => store.held === 1);
  /** One commit ends, and the next one is in flight before a reader can run. */
  const commitOne = async (): Promise<void> => {
    speak();
    await quiet();
    expect(store.held).toBe(1);
    store.release(1);
    await quiet();
    expect(store.held).toBe(1);
  };
  const stop = async (): Promise<void> => {
    store.release();
    end.open();
    await untilIdle(agent);
  };
  return { caller, id, commitOne, stop };
}

describe('D6: reading a task that publishes faster than the store commits', () => {
  test('D6: GetTask waits for at most one commit and shows its events', async () => {
    const { caller, id, commitOne, stop } = await streaming();
    const lengths: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const got = follow(caller.get(id));
      await commitOne();
      expect(got.isSettled).toBe(true);
      lengths.push((await got.outcome).artifacts?.[0]?.parts[0]?.text?.length ?? 0);
    }
    expect(lengths, 'each read shows more').toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(3);
    await stop();
  });

  test('D6: ListTasks does not wait for commits at all', async () => {
    const { caller, id, stop } = await streaming();
    const { tasks } = await caller.list({ includeArtifacts: true });
    expect(tasks).toMatchObject([{ id, status: { state: 'TASK_STATE_WORKING' }, artifacts: [] }]);
    await stop();
  });

  test('D4, D6: a subscription starts within two commits and continues where its Task ends', async () => {
    const { caller, id, commitOne, stop } = await streaming();
    const opening = follow(caller.subscribe(id));
    await commitOne();
    expect(opening.isSettled).toBe(true);
    const reader = await opening.outcome;
    await commitOne();
    expect(reader.seen[0]?.task).toMatchObject({ id, status: { state: 'TASK_STATE_WORKING' } });
    await commitOne();
    const seqs = reader.seen.map(({ seq = 0 }) => seq);
    expect(seqs.length).toBeGreaterThan(1);
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    await stop();
    await reader.all();
  });

  test('D2, D6: a returnImmediately send returns within two commits', async () => {
    const { caller, id, commitOne, stop } = await streaming();
    const sent = follow(caller.send(say('more', { taskId: id }), { returnImmediately: true }));
    await commitOne();
    await commitOne();
    expect(sent.isSettled).toBe(true);
    expect((await sent.outcome).task?.status.state).toBe('TASK_STATE_WORKING');
    await stop();
  });
});

describe('P47: lists and states', () => {
  test('P47: while its final commit is in flight, a task is listed and shown only with its old state', async () => {
    const store = failingStore(memoryStore());
    const end = gate();
    const executor: AgentExecutor = {
      async execute(_context, events) {
        await events.working();
        await events.appendText('a', 'x');
        await events.flush();
        await events.appendText('a', 'y');
        await events.flush();
        await end.passed;
        await events.complete();
      },
    };
    const agent = createAgent({ ...NAME, store, executor });
    const caller = callerOf(agent);
    await caller.task('go', { returnImmediately: true });
    await quiet();
    store.hold();
    end.open();
    await until(() => store.held === 1);
    const states = async (status: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED') =>
      (await caller.list({ status })).tasks.map((task) => task.status.state);
    const early = follow(states('TASK_STATE_WORKING'));
    const late = follow(states('TASK_STATE_COMPLETED'));
    await quiet();
    store.release();
    expect(await early.outcome).toEqual(['TASK_STATE_WORKING']);
    expect(await late.outcome).toEqual([]);
    await untilIdle(agent);
    expect(await states('TASK_STATE_WORKING')).toEqual([]);
    expect(await states('TASK_STATE_COMPLETED')).toEqual(['TASK_STATE_COMPLETED']);
  });
});

describe('D3: waiting messages', () => {
  test('D3: the cost of a chunk does not grow with them: the inbox is not read for it', async () => {
    const reads: number[] = [];
    for (const waiting of [0, 10]) {
      let count = 0;
      const store = altered((inner) => ({
        inbox(ref, after) {
          count += 1;
          return inner.inbox(ref, after);
        },
      }));
      const [speak, spoken, end] = [gate(), gate(), gate()];
      const executor: AgentExecutor = {
        async execute(_context, events) {
          await events.working();
          await events.flush();
          await speak.passed;
          for (let chunk = 0; chunk < 200; chunk += 1) {
            await events.appendText('a', 'x');
            await events.flush();
          }
          spoken.open();
          await end.passed;
          await events.complete();
        },
      };
      const agent = createAgent({ ...NAME, store, executor });
      const caller = callerOf(agent);
      const { id } = await caller.task('go', { returnImmediately: true });
      const blocked = Array.from({ length: waiting }, () => caller.send(say('more', { taskId: id })).catch(() => {}));
      await quiet();
      count = 0;
      speak.open();
      await spoken.passed;
      await quiet();
      reads.push(count);
      end.open();
      await Promise.all(blocked);
      await untilIdle(agent);
    }
    expect(reads).toEqual([0, 0]);
  });
});

describe('F67: large writes are committed beside the small ones', () => {
  test('F67: a small task is committed while the store takes a large one, and large tasks are committed one at a time', async () => {
    const large = 'x'.repeat(1_000_000);
    const commits: (readonly string[])[] = [];
    const store = failingStore(memoryStore(), (_commit, writes) => {
      commits.push(writes.map(({ entries }) => (entries.some(({ json }) => json.length > large.length) ? 'large' : 'small')));
      return undefined;
    });
    const agent = createAgent({ ...NAME, store, execute: async ({ text }) => String(text.length) });
    const caller = callerOf(agent);
    store.hold();
    const [first, second, small] = [large, large, 'small'].map((text) => follow(caller.task(text)));
    await until(() => store.held === 2);
    await quiet();
    expect(store.held, 'the second large task waits for the first').toBe(2);
    store.release(2);
    expect((await small?.outcome)?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(commits).toEqual([['large'], ['small']]);
    store.release();
    for (const task of [first, second]) expect((await task?.outcome)?.artifacts).toMatchObject([{ parts: [{ text: '1000000' }] }]);
    expect(commits.filter((writes) => writes.includes('large'))).toEqual([['large'], ['large']]);
    await untilIdle(agent);
  });

  test('F67: a large write that the store loses fails only its own task', async () => {
    const store = failingStore(memoryStore(), (_commit, [write]) =>
      (write?.entries[0]?.json.length ?? 0) > 500_000 ? 'before' : undefined,
    );
    const agent = createAgent({ ...NAME, store, execute: async ({ text }) => String(text.length), onError: () => {} });
    const caller = callerOf(agent);
    const lost = refusal(caller.task('x'.repeat(1_000_000)));
    expect((await caller.task('small')).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await lost).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    await agent.close({ drainMs: 0 });
  });
});
