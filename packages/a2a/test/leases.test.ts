import { describe, expect, test } from 'vitest';
import type { Clock } from '../src/protocol/clock.js';
import { type AgentOptions, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { follow, refOf, refusal, storyOf } from './looking.js';
import { cluster, remote } from './nodes.js';

const LEASE_MS = 15_000;
const BEAT_MS = 3_000;
const WORK: ScriptStep[] = [{ do: 'working' }, { do: 'flush' }, { do: 'gate', name: 'on' }, { do: 'complete' }];
const RESTART = { recovery: 'restart' } as const;

/** One running node, and a store on another machine. */
async function atWork(options: Partial<AgentOptions> = {}) {
  const world = remote();
  const executor = scriptedExecutor(WORK);
  const node = world.start({ clock: world.clock, executor, ...options });
  const sending = node.caller.task('go', { returnImmediately: true });
  await world.clock.tick();
  const { id } = await sending;
  return { ...world, executor, node, id, story: () => storyOf(world.truth, refOf(id)) };
}

describe('D12: a lease', () => {
  test('D12: is renewed five times before it expires, and one second after a failed heartbeat', async () => {
    const clock = manualClock();
    const beats: number[] = [];
    const inner = memoryStore({ clock });
    let isAway = false;
    const beat: TaskStore['beat'] = async (...args) => {
      beats.push(clock.now());
      if (isAway) throw new Error('connect ECONNREFUSED');
      return inner.beat(...args);
    };
    const { start } = cluster({ ...inner, beat }, clock);
    const begun = clock.now();
    start({ clock, executor: scriptedExecutor([]) });
    await clock.tick(LEASE_MS - 1);
    const since = (): readonly number[] => beats.splice(0).map((at) => at - begun);
    expect(since()).toEqual([0, 3_000, 6_000, 9_000, 12_000]);
    isAway = true;
    await clock.tick(2_500);
    isAway = false;
    await clock.tick(4_501);
    expect(since()).toEqual([15_000, 16_000, 17_000, 18_000, 21_000]);
  });

  test('D12: counts from before the heartbeat was sent, by the clock of the node', async () => {
    const clock = manualClock();
    const inner = memoryStore({ clock });
    let slowMs = 10_000;
    const beat: TaskStore['beat'] = async (...args) => {
      await new Promise<void>((resolve) => clock.after(slowMs, resolve));
      return inner.beat(...args);
    };
    const { start } = cluster({ ...inner, beat }, clock);
    const { agent } = start({ clock, executor: scriptedExecutor([]) });
    await clock.tick(9_999);
    expect(agent.readiness).toBe('starting');
    await clock.tick(1);
    slowMs = 1_000_000;
    await clock.tick(4_999);
    expect(agent.readiness).toBe('ready');
    await clock.tick(1);
    expect(agent.readiness).toBe('unavailable');
  });

  test('D12, D20: a node that cannot renew its lease refuses new tasks until it can', async () => {
    const { node, weather, clock } = await atWork();
    weather.now = 'down';
    await clock.tick(LEASE_MS - BEAT_MS);
    expect(node.agent.readiness, 'the lease has not expired yet').toBe('ready');
    await clock.tick(BEAT_MS + 1);
    expect(node.agent.readiness).toBe('unavailable');
    expect(await refusal(node.caller.task('another'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    weather.now = 'fine';
    await clock.tick(1_000);
    expect(node.agent.readiness).toBe('ready');
    const sending = follow(node.caller.task('another', { returnImmediately: true }));
    await clock.tick();
    expect((await sending.outcome).status.state).toBe('TASK_STATE_WORKING');
  });

  test('D12: an outage shorter than the lease aborts no run', async () => {
    for (const kind of ['down', 'silent'] as const) {
      const { executor, weather, clock, story } = await atWork();
      weather.now = kind;
      await clock.tick(LEASE_MS - 1);
      weather.now = 'fine';
      await clock.tick(1_000);
      expect(executor.runs[0]?.signal.aborted).toBe(false);
      executor.open('on');
      await clock.tick();
      expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'status:COMPLETED']);
    }
  });

  test.each(['down', 'silent'] as const)(
    'D12, D18: when it expires and the store is %s, runs are aborted, and the recovery policy applies once the store is back',
    async (kind) => {
      for (const recovery of ['fail', 'restart'] as const) {
        const { executor, node, weather, clock, id, story } = await atWork({ recovery });
        const reader = await node.caller.subscribe(id);
        const ended = follow(reader.ended);
        await clock.tick();
        weather.now = kind;
        await clock.tick(LEASE_MS - 1);
        expect([executor.runs[0]?.signal.aborted, ended.isSettled]).toEqual([false, false]);
        await clock.tick(BEAT_MS + 1);
        expect(executor.runs[0]?.signal.aborted, 'after one more heartbeat attempt').toBe(true);
        expect(await ended.outcome).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE', retryable: true } });
        await clock.tick(60_000);
        expect([executor.runs.length, node.agent.tasks.running]).toEqual([1, []]);
        weather.now = 'fine';
        await clock.tick(LEASE_MS + 5_000);
        executor.open('on');
        await clock.tick();
        expect((await story()).at(-1)).toBe(recovery === 'fail' ? 'status:FAILED' : 'status:COMPLETED');
        expect(executor.runs.map(({ attempt }) => attempt)).toEqual(recovery === 'fail' ? [1] : [1, 2]);
      }
    },
  );

  test('D12: events that an aborted run publishes are refused and not in the log', async () => {
    const world = remote();
    const said: string[] = [];
    const node = world.start({
      clock: world.clock,
      executor: {
        async execute({ signal }, events) {
          await events.working();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          for (const saying of [events.appendText('a', 'late'), events.complete('late'), events.flush()]) {
            await saying.catch(({ reason }) => said.push(reason));
          }
        },
      },
    });
    const sending = node.caller.task('go', { returnImmediately: true });
    await world.clock.tick();
    const { id } = await sending;
    world.weather.now = 'down';
    await world.clock.tick(LEASE_MS + BEAT_MS);
    world.weather.now = 'fine';
    await world.clock.tick(1_000);
    expect(said).toHaveLength(3);
    expect(await storyOf(world.truth, refOf(id))).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING']);
  });

  test('D12: a heartbeat response from before a pause does not renew the lease: no work starts before the next heartbeat', async () => {
    const clock = manualClock();
    const calls: string[] = [];
    const inner = memoryStore({ clock });
    const noted = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        calls.push(name);
        const answer = await call(...args);
        await new Promise<void>((resolve) => clock.after(10, resolve));
        return answer;
      };
    };
    const store = { ...inner, beat: noted('beat', inner.beat), commit: noted('commit', inner.commit) };
    const node = cluster(store, clock).start({ clock, executor: scriptedExecutor([{ do: 'complete' }]) });
    await clock.tick(BEAT_MS + 15); // the second heartbeat is in flight
    calls.length = 0;
    node.pause();
    await clock.tick(LEASE_MS + 5_000);
    const sent = follow(node.caller.task('go'));
    sent.outcome.catch(() => {});
    await node.resume();
    expect(await refusal(sent.outcome)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    expect(calls).toEqual(['beat']);
    await clock.tick(1_100);
    expect(node.agent.readiness).toBe('ready');
    const again = follow(node.caller.task('go'));
    await clock.tick(100);
    await again.outcome;
    expect([calls[0], calls.at(-1)]).toEqual(['beat', 'commit']);
  });

  test('D11, D12: a clock that is set ahead or back costs neither a run nor the node name', async () => {
    for (const jumpMs of [3_600_000, -3_600_000]) {
      const hand = manualClock();
      let offset = 0;
      const clock: Clock = { ...hand, now: () => hand.now() + offset };
      const world = remote(hand);
      const executor = scriptedExecutor(WORK);
      const { agent, caller, errors } = world.start({ clock, executor });
      const sending = caller.task('go', { returnImmediately: true });
      await hand.tick();
      await sending;
      offset = jumpMs;
      await hand.tick(BEAT_MS);
      expect([agent.readiness, executor.runs[0]?.signal.aborted, errors]).toEqual(['ready', false, []]);
      const another = follow(caller.task('another', { returnImmediately: true }));
      await hand.tick();
      await another.outcome;
    }
  });
});

describe('D12: after an outage', () => {
  test('D12: longer than a lease, nodes give each other time to return: no run changes its owner', async () => {
    const { clock, start, weather, truth } = remote();
    const executors = [0, 1, 2].map(() => scriptedExecutor(WORK));
    const nodes = executors.map((executor) => start({ ...RESTART, clock, executor }));
    const tasks = nodes.map(({ caller }) => caller.task('go', { returnImmediately: true }));
    await clock.tick(200);
    const ids = (await Promise.all(tasks)).map(({ id }) => id);
    weather.now = 'down';
    await clock.tick(LEASE_MS + 1_000);
    expect(await truth.orphans('', 10), 'all nodes seem dead').toHaveLength(3);
    weather.now = 'fine';
    await clock.tick(60_000);
    for (const executor of executors) executor.open('on');
    await clock.tick();
    expect(executors.map(({ runs }) => runs.map(({ attempt, signal }) => [attempt, signal.aborted]))).toEqual([
      [[1, false]],
      [[1, false]],
      [[1, false]],
    ]);
    for (const id of ids) expect((await storyOf(truth, refOf(id))).at(-1)).toBe('status:COMPLETED');
  });

  test('D12: a message to a task of a node that has not returned yet does not take over the task', async () => {
    const { clock, start, weather } = remote();
    const bus = memoryBus();
    const executor = scriptedExecutor(WORK);
    const owner = start({ ...RESTART, clock, executor, bus });
    const other = start({ ...RESTART, clock, executor: scriptedExecutor([]), bus });
    const sending = owner.caller.task('go', { returnImmediately: true });
    await clock.tick();
    const { id } = await sending;
    weather.now = 'down';
    await clock.tick(LEASE_MS + 500);
    owner.pause(); // the owner returns a little later than the other node
    weather.now = 'fine';
    await clock.tick(1_000);
    expect(other.agent.readiness).toBe('ready');
    const cancel = follow(other.caller.cancel(id));
    await clock.tick(500);
    await owner.resume();
    await clock.tick(6_000);
    expect((await cancel.outcome).status.state).toBe('TASK_STATE_CANCELED');
    expect([executor.runs[0]?.signal.aborted, owner.errors.filter((text) => text.includes('written'))]).toEqual([true, []]);
  });

  test('D12: tasks of a node that does not return are taken over', async () => {
    const { clock, start, weather } = remote();
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const gone = start({ ...RESTART, clock, executor: scriptedExecutor(WORK) });
    start({ ...RESTART, clock, executor });
    const sending = gone.caller.task('go', { returnImmediately: true });
    await clock.tick();
    await sending;
    weather.now = 'down';
    gone.cutOff();
    await clock.tick(LEASE_MS + 1_000);
    weather.now = 'fine';
    await clock.tick(1_000 + 2 * BEAT_MS + 1_000);
    expect(executor.runs).toMatchObject([{ attempt: 2 }]);
  });
});

describe('D12: take-over', () => {
  test.each([true, false])(
    'D12: the tasks of a dead node are taken over within its lease and two seconds (several live nodes: %s)',
    async (busy) => {
      const { clock, start } = remote();
      const executor = scriptedExecutor([{ do: 'complete' }]);
      const gone = start({ ...RESTART, clock, executor: scriptedExecutor(WORK) });
      const others = [1, 2].map(() => start({ ...RESTART, clock, executor: busy ? executor : scriptedExecutor([]) }));
      if (!busy) for (const { agent } of others) void agent.close();
      if (!busy) start({ ...RESTART, clock, executor });
      const sending = gone.caller.task('go', { returnImmediately: true });
      await clock.tick();
      await sending;
      await clock.tick(60_000 - 1);
      gone.cutOff();
      await clock.tick(LEASE_MS + 2_000);
      expect(executor.runs).toMatchObject([{ attempt: 2 }]);
    },
  );

  test('D12: a node that starts takes over at once the tasks that no live node runs', async () => {
    const { clock, start, crash } = remote();
    const gone = start({ ...RESTART, clock, executor: scriptedExecutor(WORK) });
    const sending = gone.caller.task('go', { returnImmediately: true });
    await clock.tick();
    await sending;
    await crash(gone);
    const executor = scriptedExecutor([{ do: 'complete' }]);
    start({ ...RESTART, clock, executor });
    await clock.tick();
    expect(executor.runs).toMatchObject([{ attempt: 2 }]);
  });

  test('D12, D21: a thousand tasks are taken over in seconds, each by one node, within the limits of the nodes', async () => {
    const { clock, start, truth } = remote();
    const gone = start({ ...RESTART, clock, maxRunningTasks: 2_000, executor: scriptedExecutor(WORK) });
    const sent = Array.from({ length: 1_000 }, (_, k) => gone.caller.task(`task ${k}`, { returnImmediately: true }));
    await clock.tick(1_000);
    await Promise.all(sent);
    const claims: string[] = [];
    let [atOnce, most, calls] = [0, 0, 0];
    const claim: TaskStore['claim'] = async (ref, node) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      calls += 1;
      await new Promise<void>((resolve) => clock.after(20, resolve));
      atOnce -= 1;
      const claimed = await truth.claim(ref, node);
      if (typeof claimed === 'object') claims.push(`${node} ${ref.id}`);
      return claimed;
    };
    const runs: string[] = [];
    const rooms = [300, 400, 2_000];
    const others = rooms.map((maxRunningTasks) =>
      start({
        ...RESTART,
        clock,
        maxRunningTasks,
        store: { ...truth, claim, close: async () => {} },
        executor: {
          execute: async ({ taskId, signal }) => {
            runs.push(taskId);
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
          },
        },
      }),
    );
    await clock.tick(); // these nodes start before the first one dies
    gone.cutOff();
    await clock.tick(LEASE_MS + 3_000);
    expect([runs.length, new Set(runs).size, claims.length]).toEqual([1_000, 1_000, 1_000]);
    const counts = others.map(({ agent }) => agent.tasks.running.length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1_000);
    for (const [index, count] of counts.entries()) {
      expect(count, 'every node takes a share').toBeGreaterThan(100);
      expect(count).toBeLessThanOrEqual(rooms[index] ?? 0);
    }
    expect(most).toBeLessThanOrEqual(3 * 8);
    expect(calls, 'few claims fail').toBeLessThan(2_000);
  });
});

describe('D12, D18: a creation whose outcome is unknown', () => {
  test.each(['fail', 'restart'] as const)(
    'D12, D18: it is settled by the recovery policy if the store commits it long after the reads that looked for it (%s)',
    async (recovery) => {
      const clock = manualClock();
      const inner: TaskStore = { ...memoryStore({ clock }), isRemote: true };
      let isLate = true;
      const commit: TaskStore['commit'] = async (writes) => {
        if (!isLate) return inner.commit(writes);
        isLate = false;
        clock.after(3_000, () => void inner.commit(writes));
        throw new Error('read ECONNRESET');
      };
      const executor = scriptedExecutor(WORK, { turns: [[{ do: 'complete' }]] });
      const node = cluster({ ...inner, commit }, clock).start({ recovery, clock, executor });
      const sent = follow(node.caller.task('go'));
      sent.outcome.catch(() => {});
      await clock.tick();
      expect(await refusal(sent.outcome)).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
      await clock.tick(3_000);
      const { tasks } = await inner.list({ agent: '', tenant: '', owner: '', limit: 10, count: false });
      expect(tasks.map(({ head }) => head.state)).toEqual(['TASK_STATE_WORKING']);
      await clock.tick(3_000);
      const [settled] = (await inner.list({ agent: '', tenant: '', owner: '', limit: 10, count: false })).tasks;
      expect(settled?.head.state).toBe(recovery === 'fail' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED');
    },
  );
});

describe('D12: two processes with one node name', () => {
  test('D12: the second reports it once, takes no tasks, and does not affect the first', async () => {
    const { clock, start, truth } = remote();
    const executor = scriptedExecutor(WORK);
    const first = start({ ...RESTART, clock, node: 'n', executor });
    const sending = first.caller.task('go', { returnImmediately: true });
    await clock.tick();
    const { id } = await sending;
    const lines: string[] = [];
    const line = (_: object, text: string): void => void lines.push(text);
    const idle = scriptedExecutor([]);
    const second = start({ ...RESTART, clock, node: 'n', executor: idle, logger: { debug: line, info: line, warn: line, error: line } });
    await clock.tick(60_000);
    expect(lines).toEqual([expect.stringContaining('another process uses the node name n;')]);
    expect([first.agent.readiness, second.agent.readiness]).toEqual(['ready', 'unavailable']);
    expect(await refusal(second.caller.task('go'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    const cancel = follow(second.caller.cancel(id));
    await clock.tick(5_000);
    expect(cancel.isSettled, 'posted, and taken by the first').toBe(true);
    expect([idle.runs, executor.runs.length, first.errors]).toEqual([[], 1, []]);
    expect((await storyOf(truth, refOf(id))).at(-1)).toBe('status:CANCELED');
    const closing = follow(second.agent.close());
    await clock.tick();
    await closing.outcome;
    await clock.tick(LEASE_MS);
    expect(first.agent.readiness, 'also after the second has closed').toBe('ready');
  });

  test('D12: the second takes over when the first is dead, including its tasks', async () => {
    const { clock, start } = remote();
    const first = start({ ...RESTART, clock, node: 'n', executor: scriptedExecutor(WORK) });
    const sending = first.caller.task('go', { returnImmediately: true });
    await clock.tick();
    await sending;
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const second = start({ ...RESTART, clock, node: 'n', executor });
    await clock.tick();
    first.cutOff();
    await clock.tick(LEASE_MS + 2_000);
    expect(second.agent.readiness).toBe('ready');
    expect(executor.runs).toMatchObject([{ attempt: 2 }]);
  });

  test('D12: a paused process that finds its name taken aborts its runs and writes nothing more', async () => {
    const { clock, start, truth } = remote();
    const executor = scriptedExecutor(WORK);
    const first = start({ clock, node: 'n', executor, rereadMs: 1e9 });
    const sending = first.caller.task('go', { returnImmediately: true });
    await clock.tick();
    const { id } = await sending;
    first.pause();
    await clock.tick(LEASE_MS);
    const second = start({ clock, node: 'n', executor: scriptedExecutor([]) });
    await clock.tick(1_000);
    await first.resume();
    await clock.tick();
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    executor.open('on');
    await clock.tick(60_000);
    expect([first.agent.readiness, second.agent.readiness]).toEqual(['unavailable', 'ready']);
    expect((await storyOf(truth, refOf(id))).slice(-2), 'settled by the second').toEqual(['status:WORKING', 'status:FAILED']);
  });
});
