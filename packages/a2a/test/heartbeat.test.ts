/** A node whose lease is renewed from another thread while its event loop is blocked. */
import { describe, expect, test } from 'vitest';
import type { Logger } from '../src/platform/logger.js';
import { type AgentOptions, memoryStore, type TaskStore } from '../src/server/index.js';
import type { HeartbeatOptions } from '../src/stores/store.js';
import { type ManualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { refOf, storyOf } from './looking.js';
import { remote } from './nodes.js';

const LEASE_MS = 15_000;
const BEAT_MS = 3_000;
const WORK: ScriptStep[] = [{ do: 'working' }, { do: 'flush' }, { do: 'gate', name: 'on' }, { do: 'complete' }];

/** Renews the lease by the clock of the test, as a store does from its thread. */
function threadOn(store: TaskStore, clock: ManualClock) {
  const state = { isWorking: true, isStopped: false, renewals: 0 };
  let sentAt = Number.NEGATIVE_INFINITY;
  let options: HeartbeatOptions | undefined;
  const agoMs = (): number => clock.now() - sentAt;
  let own = Number.NEGATIVE_INFINITY;
  const renew = async (): Promise<void> => {
    if (options === undefined || state.isStopped) return;
    const { node, incarnation, leaseMs, beatMs } = options;
    clock.after(beatMs, () => void renew(), { background: true });
    if (!state.isWorking || Math.min(agoMs(), clock.now() - own) >= leaseMs) return;
    if ((await store.beat(node, incarnation, (await store.now()) + leaseMs)) !== 'ok') return;
    state.renewals += 1;
    sentAt = clock.now();
  };
  const startHeartbeat: NonNullable<TaskStore['startHeartbeat']> = (given) => {
    options = given;
    void Promise.resolve().then(renew);
    return {
      get agoMs() {
        return agoMs();
      },
      failure: 'connect ECONNREFUSED',
      renewed: (ms) => {
        own = clock.now() - ms;
      },
      stop: async () => {
        state.isStopped = true;
      },
    };
  };
  return { state, fail: (cause: unknown) => options?.onFailure(cause), startHeartbeat, options: () => options };
}

/** A node at work, and a second node that would take over its task. */
async function atWork(more: Partial<AgentOptions> = {}, start?: TaskStore['startHeartbeat']) {
  const world = remote();
  const { clock, truth } = world;
  const beats: number[] = [];
  const counted: TaskStore = {
    ...world.store,
    beat: (...args) => {
      beats.push(clock.now());
      return world.store.beat(...args);
    },
  };
  const thread = threadOn(truth, clock);
  const warnings: string[] = [];
  const ignore = (): void => {};
  const logger: Logger = { debug: ignore, info: ignore, warn: (_, text) => warnings.push(text), error: ignore };
  const executor = scriptedExecutor(WORK);
  const node = world.start({ clock, executor, store: counted, logger, ...more }, { startHeartbeat: start ?? thread.startHeartbeat });
  const heir = scriptedExecutor([{ do: 'complete' }]);
  world.start({ clock, executor: heir, recovery: 'restart' });
  const sending = node.caller.task('go', { returnImmediately: true });
  await clock.tick();
  const { id } = await sending;
  return { ...world, node, executor, heir, thread, beats, warnings, id, story: () => storyOf(truth, refOf(id)) };
}

describe('D59: a lease that is renewed from another thread', () => {
  test('D59, F61: a node whose event loop is blocked for several leases keeps its tasks, and their commits are accepted', async () => {
    const { clock, node, executor, heir, beats, story } = await atWork();
    node.pause();
    await clock.tick(3 * LEASE_MS);
    executor.open('on');
    await node.resume();
    await clock.tick(BEAT_MS);
    expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'status:COMPLETED']);
    expect([executor.runs[0]?.signal.aborted, heir.runs, node.errors, beats.length]).toEqual([false, [], [], 1]);
    expect(node.agent.readiness).toBe('ready');
  });

  test('D59: in the moment after a block the node holds its lease, before any timer or answer', async () => {
    const { clock, node } = await atWork();
    node.pause();
    await clock.tick(2 * LEASE_MS);
    expect(node.agent.readiness).toBe('ready');
  });

  test('D59: the node sends heartbeats itself while the renewals are overdue, and warns once', async () => {
    const { clock, node, thread, beats, warnings } = await atWork();
    await clock.tick(2 * LEASE_MS);
    expect(beats).toHaveLength(1);
    thread.state.isWorking = false;
    await clock.tick(LEASE_MS);
    expect(beats.length).toBeGreaterThanOrEqual(3);
    expect([node.agent.readiness, warnings]).toEqual(['ready', []]);
    await clock.tick(4 * LEASE_MS);
    expect([node.agent.readiness, warnings.length]).toEqual(['ready', 1]);
    expect(warnings[0]).toContain('the heartbeat thread does not reach the database');
    thread.state.isWorking = true;
    await clock.tick(BEAT_MS);
    const count = beats.length;
    await clock.tick(LEASE_MS);
    expect(beats).toHaveLength(count);
  });

  test('D59: a thread that stopped during a block does not hide the gap: the node checks its tasks before it continues', async () => {
    const { clock, node, executor, heir, thread, story } = await atWork();
    node.pause();
    thread.state.isWorking = false;
    await clock.tick(LEASE_MS + BEAT_MS);
    expect(heir.runs).toMatchObject([{ attempt: 2 }]);
    thread.state.isWorking = true;
    await clock.tick(BEAT_MS);
    expect(node.agent.readiness).toBe('unavailable');
    await node.resume();
    await clock.tick();
    expect([executor.runs[0]?.signal.aborted, node.agent.readiness]).toEqual([true, 'ready']);
    expect((await story()).filter((entry) => entry === 'status:COMPLETED')).toHaveLength(1);
  });

  test('D59: when the store is down for longer than the lease, runs are aborted as without a thread', async () => {
    const { clock, weather, executor, thread } = await atWork();
    await clock.tick(LEASE_MS);
    weather.now = 'down';
    thread.state.isWorking = false;
    await clock.tick(LEASE_MS - BEAT_MS - 1);
    expect(executor.runs[0]?.signal.aborted).toBe(false);
    await clock.tick(3 * BEAT_MS);
    expect(executor.runs[0]?.signal.aborted).toBe(true);
  });

  test('D59: a thread that ends is reported once, and the node sends all heartbeats itself', async () => {
    const { clock, node, thread, beats, warnings } = await atWork();
    thread.state.isWorking = false;
    thread.fail(new Error('out of memory'));
    beats.length = 0;
    await clock.tick(2 * LEASE_MS);
    expect([beats.length, node.agent.readiness, warnings.length]).toEqual([10, 'ready', 1]);
    expect(warnings[0]).toContain('heartbeats are sent from the event loop');
  });

  test('D59: a thread that cannot be created costs one warning, and the node sends all heartbeats itself', async () => {
    const { clock, node, beats, warnings } = await atWork({}, () => {
      throw new Error('the option password of the Pool contains a function');
    });
    await clock.tick(2 * LEASE_MS - 1);
    expect([beats.length, node.agent.readiness, warnings.length]).toEqual([10, 'ready', 1]);
    expect(warnings[0]).toContain('heartbeats are sent from the event loop');
  });

  test('D59: the thread gets the lease and stallMs of the options, and stops when the agent closes, before the lease ends', async () => {
    const { clock, node, thread, truth, id } = await atWork({ leaseMs: 10_000, stallMs: 7_000 });
    expect(thread.options()).toMatchObject({ leaseMs: 10_000, beatMs: 2_000, stallMs: 7_000, node: 'node-1' });
    const closing = node.agent.close({ drainMs: 0 });
    await clock.tick(1_000);
    await closing;
    expect(thread.state.isStopped).toBe(true);
    expect((await truth.load(refOf(id)))?.node).not.toBe('node-1');
  });

  test('D59: the default of stallMs is 30 seconds, and a store without threads gets none', async () => {
    expect((await atWork()).thread.options()?.stallMs).toBe(30_000);
    expect(memoryStore().startHeartbeat).toBeUndefined();
  });
});
