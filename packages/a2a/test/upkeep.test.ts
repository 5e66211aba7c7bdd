import { describe, expect, test } from 'vitest';
import type { Retention } from '../src/server/advanced.js';
import { type AgentOptions, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { gate, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal, storyOf } from './looking.js';
import { cluster } from './nodes.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ASK: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }];
const PARK: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };

/** One node and its store on one manual clock. */
function onClock(steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}, change: Partial<TaskStore> = {}) {
  const clock = manualClock();
  const world = cluster({ ...memoryStore({ clock }), ...change }, clock);
  const executor = scriptedExecutor(steps);
  const node = world.start({ clock, executor, ...options });
  const done = async <T>(call: Promise<T>): Promise<T> => {
    const answer = follow(call);
    for (let turn = 0; turn < 10 && !answer.isSettled; turn += 1) await clock.tick();
    return answer.outcome;
  };
  return { ...world, ...node, node, clock, executor, done };
}

describe('D10: retention', () => {
  test('D10: the log of an ended task is compacted into its snapshot after replayHours; the task stays', async () => {
    const { caller, clock, done, store } = onClock(
      [{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'complete' }],
      {},
      { replayHours: 24 },
    );
    const { id } = await done(caller.task('go'));
    await clock.tick(24 * HOUR);
    expect(await store.readAfter(refOf(id), 0, 1_000)).not.toBe('compacted');
    await clock.tick(2 * MINUTE);
    expect(await store.readAfter(refOf(id), 0, 1_000)).toBe('compacted');
    expect(await done(caller.get(id))).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'x' }] }],
    });
    expect(await refusal(done(caller.subscribe(id, '0')))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
  });

  test('D10: by default nothing is deleted; with deleteFinalAfterMs only ended tasks are', async () => {
    for (const options of [{}, { deleteFinalAfterMs: HOUR }]) {
      const { caller, clock, done } = onClock([{ do: 'complete' }], options);
      const { id } = await done(caller.task('go'));
      const waits = onClock([PARK], options);
      const asked = await waits.done(waits.caller.task('go'));
      for (const turned of [clock, waits.clock]) await turned.tick(HOUR + 2 * MINUTE);
      expect((await waits.done(waits.caller.get(asked.id))).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      const got = follow(done(caller.get(id)));
      if ('deleteFinalAfterMs' in options) expect(await refusal(got.outcome)).toMatchObject({ reason: 'TASK_NOT_FOUND' });
      else expect((await got.outcome).id).toBe(id);
    }
  });

  test('D10: a sweep continues in batches until it is complete, and calls are served between them', async () => {
    const policies: Retention[] = [];
    let left = 250;
    const sweep: TaskStore['sweep'] = async (policy) => {
      policies.push(policy);
      const touched = Math.min(policy.batch, left);
      left -= touched;
      return touched;
    };
    const { caller, clock, done } = onClock([{ do: 'complete' }], { deleteFinalAfterMs: HOUR }, { sweep, replayHours: 2 });
    await clock.tick(MINUTE - 1);
    expect(policies).toEqual([]);
    await clock.tick(5_001);
    expect(policies).toEqual([1, 2, 3].map(() => ({ agent: '', replayMs: 2 * HOUR, batch: 100, deleteFinalAfterMs: HOUR })));
    expect((await done(caller.task('go'))).status.state).toBe('TASK_STATE_COMPLETED');
    await clock.tick(MINUTE + 5_000);
    expect(policies, 'and again a minute later').toHaveLength(4);
  });

  test('D10: a sweep that fails is retried and does not affect other work', async () => {
    let sweeps = 0;
    const sweep = async (): Promise<number> => {
      sweeps += 1;
      throw new Error('disk full');
    };
    const { clock, caller, done, errors } = onClock([{ do: 'complete' }], {}, { sweep });
    await clock.tick(3 * MINUTE + 10_000);
    expect(sweeps).toBeGreaterThanOrEqual(2);
    expect(errors.length).toBe(sweeps);
    expect((await done(caller.task('go'))).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('D10: a question without an answer', () => {
  const LIMITS: [string, number, readonly ScriptStep[]][] = [
    ['while its run waits', 5 * MINUTE, ASK],
    ['after its run was parked', HOUR, ASK],
    ['after execute returned', HOUR, [PARK]],
    ['for an authorization', HOUR, [{ do: 'requireAuth', prompt: 'log in' }]],
  ];

  test.each(LIMITS)(
    'D10: is FAILED after inputTimeoutMs, %s: an ordinary event, with the reason expired',
    async (_name, inputTimeoutMs, steps) => {
      const { agent, caller, clock, done, executor, store } = onClock(steps, { inputTimeoutMs });
      const { id } = await done(caller.task('go'));
      const watcher = await done(caller.subscribe(id));
      await clock.tick(inputTimeoutMs);
      expect((await done(caller.get(id))).status.state).toMatch(/_REQUIRED$/);
      await clock.tick(5_000);
      const { status } = await done(caller.get(id));
      expect(status.state).toBe('TASK_STATE_FAILED');
      expect(status.message?.metadata?.['urn:parley:a2a:error']).toMatchObject({
        reason: 'TASK_TIMEOUT',
        why: 'expired',
        retryable: false,
      });
      await watcher.all();
      expect(watcher.seen.at(-1)?.statusUpdate?.status).toEqual(status);
      expect((await storyOf(store, refOf(id))).at(-1)).toBe('status:FAILED');
      expect([agent.tasks.running, executor.runs.length]).toEqual([[], 1]);
      expect(await refusal(done(caller.task(say('late', { taskId: id }))))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    },
  );

  test('D10: without inputTimeoutMs it waits without a limit', async () => {
    const { caller, clock, done } = onClock(ASK);
    const { id } = await done(caller.task('go'));
    await clock.tick(6 * HOUR);
    expect((await done(caller.get(id))).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  test('D10: an answer in time wins, also without a notification', async () => {
    for (const steps of [ASK, [PARK, { do: 'call', run: () => {} }] as ScriptStep[]]) {
      const { caller, clock, done, executor, store } = onClock(steps, { inputTimeoutMs: HOUR });
      const { id } = await done(caller.task('go'));
      await clock.tick(HOUR);
      const request = { message: say('this', { taskId: id }), caller: { id: '' }, requestId: 'r', extensions: [] };
      await store.post(refOf(id), 'message', JSON.stringify(request));
      await clock.tick(10_000);
      expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['taken']);
      expect(executor.runs).toHaveLength(2);
    }
  });

  test('D10: an answer in time wins if the run still waits and has not read it yet', async () => {
    const { caller, clock, done, executor, store } = onClock(ASK, { inputTimeoutMs: 5 * MINUTE });
    const { id } = await done(caller.task('go'));
    await clock.tick(5 * MINUTE);
    const request = { message: say('this', { taskId: id }), caller: { id: '' }, requestId: 'r', extensions: [] };
    await store.post(refOf(id), 'message', JSON.stringify(request)); // by another node, whose notification was lost
    await clock.tick(5_000);
    expect((await done(caller.get(id))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['this']);
  });

  test('D10: a question that was asked after the store was read does not expire', async () => {
    const looks = gate();
    let looking = false;
    const inner = cluster().store;
    const clock = manualClock();
    const waitingSince: TaskStore['waitingSince'] = async (agent, before, limit) => {
      const refs = await inner.waitingSince(agent, before, limit);
      if (refs.length > 0) {
        looking = true;
        await looks.passed;
      }
      return refs;
    };
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'a?' }, ...ASK]);
    const world = cluster({ ...inner, waitingSince }, clock);
    const node = world.start({ clock, executor, inputTimeoutMs: MINUTE });
    const sending = node.caller.task('go');
    await clock.tick();
    const { id } = await sending;
    await clock.tick(MINUTE + 5_000);
    expect(looking).toBe(true);
    const answering = node.caller.task(say('1', { taskId: id }));
    await clock.tick();
    expect((await answering).status.message?.parts).toEqual([{ text: 'which?' }]);
    looks.open();
    await clock.tick();
    expect((await node.caller.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });
});

describe('D11: status times', () => {
  test('D11: they follow the clock of a store on another machine and never go back', async () => {
    const own = manualClock();
    const there = manualClock(own.now() + HOUR);
    const world = cluster({ ...memoryStore({ clock: there }), isRemote: true }, there);
    const node = world.start({ clock: own, executor: scriptedExecutor([PARK]) });
    await own.tick();
    const sending = node.caller.task('go');
    await own.tick();
    const { id, status } = await sending;
    expect(Math.abs(Date.parse(status.timestamp ?? '') - there.now())).toBeLessThan(10);
    // The node or its store moves to another machine, whose clock is now an hour behind.
    const back: TaskStore = { ...world.store, now: async () => own.now() - HOUR };
    const other = world.start({ clock: own, executor: scriptedExecutor([{ do: 'complete' }]), store: back });
    await own.tick();
    const answering = other.caller.task(say('on', { taskId: id }));
    await own.tick();
    const later = (await answering).status.timestamp ?? '';
    expect(Date.parse(later)).toBeGreaterThan(Date.parse(status.timestamp ?? ''));
    expect(Date.parse(later)).toBeLessThan(Date.parse(status.timestamp ?? '') + 100);
  });

  test('D11: a store on the same machine does not change the time of its node', async () => {
    const own = manualClock();
    const world = cluster(undefined, manualClock(0));
    const node = world.start({ clock: own, executor: scriptedExecutor([{ do: 'complete' }]) });
    const sending = node.caller.task('go');
    await own.tick();
    expect(Math.abs(Date.parse((await sending).status.timestamp ?? '') - own.now())).toBeLessThan(10);
  });
});

describe('D12: leases', () => {
  test('D12: a second process with the same node name is refused with a clear error until the first is dead', async () => {
    const world = cluster();
    const first = world.start({ node: 'n', executor: scriptedExecutor([{ do: 'complete' }]) });
    await first.caller.task('go');
    const second = world.start({ node: 'n', executor: scriptedExecutor([{ do: 'complete' }]) });
    for (const options of [{}, { idempotencyKey: 'k' }]) {
      const error = await refusal(second.caller.send('go', undefined, options));
      expect(error).toMatchObject({
        reason: 'AGENT_UNAVAILABLE',
        retryable: true,
        message: expect.stringContaining('another process uses the node name n;'),
      });
    }
    expect(second.errors).toContainEqual(expect.stringContaining('another process uses the node name n;'));
    await world.crash(first);
    expect((await second.caller.task('go')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D12: a second process with the same node name is accepted at once when the first has closed', async () => {
    const world = cluster();
    const first = world.start({ node: 'n', executor: scriptedExecutor([{ do: 'complete' }]) });
    await first.caller.task('go');
    const second = world.start({ node: 'n', executor: scriptedExecutor([{ do: 'complete' }]) });
    await refusal(second.caller.task('go'));
    await first.agent.close();
    expect((await second.caller.task('go')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D12, D2: a message to a task through the refused process still reaches the owner of the task', async () => {
    const world = cluster();
    const bus = memoryBus();
    const executor = scriptedExecutor(ASK);
    const first = world.start({ node: 'n', executor, bus });
    const { id } = await first.caller.task('go');
    const second = world.start({ node: 'n', executor: scriptedExecutor([]), bus });
    const answered = await second.caller.task(say('this', { taskId: id }));
    expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D12: a node that paused beyond its lease and lost its task is refused, its run is aborted, its readers continue from the store', async () => {
    const world = cluster();
    const bus = memoryBus();
    const executor = scriptedExecutor([
      { do: 'append', artifactId: 'a', text: 'old' },
      { do: 'flush' },
      { do: 'gate', name: 'on' },
      { do: 'append', artifactId: 'a', text: 'er' },
      { do: 'flush' },
      { do: 'complete' },
    ]);
    const sleepy = world.start({ recovery: 'restart', executor, bus });
    const { id } = await sleepy.caller.task('go', { returnImmediately: true });
    await quiet();
    const reader = await sleepy.caller.subscribe(id);
    await world.clock.tick(15_001);
    const fresh = scriptedExecutor([
      { do: 'append', artifactId: 'a', text: 'new' },
      { do: 'flush' },
      { do: 'gate', name: 'on' },
      { do: 'complete' },
    ]);
    const next = world.start({ recovery: 'restart', executor: fresh, bus });
    await quiet();
    expect(fresh.runs).toMatchObject([{ attempt: 2 }]);
    executor.open('on');
    await quiet();
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    expect(sleepy.agent.tasks.running).toEqual([]);
    fresh.open('on');
    await reader.all();
    expect(reader.states.at(-1)).toBe('COMPLETED');
    for (const { caller } of [sleepy, next]) expect((await caller.get(id)).artifacts?.[0]?.parts).toEqual([{ text: 'new' }]);
  });

  test('D12, D14: an answer sent through a node that paused beyond its lease goes to the current owner', async () => {
    const clock = manualClock();
    const world = cluster(undefined, clock);
    const own = manualClock();
    const bus = memoryBus();
    const sleepy = world.start({ executor: scriptedExecutor(ASK), bus, clock: own });
    const sending = sleepy.caller.task('go');
    await own.tick();
    const { id } = await sending;
    await clock.tick(15_001);
    const executor = scriptedExecutor(ASK);
    world.start({ executor, bus, clock });
    await clock.tick();
    expect((await storyOf(world.store, refOf(id))).at(-1)).toBe('note:parked');
    const answered = follow(sleepy.caller.task(say('this', { taskId: id })));
    for (let turn = 0; turn < 5; turn += 1) {
      await own.tick();
      await clock.tick();
    }
    await clock.tick(5_000);
    await own.tick();
    expect((await answered.outcome).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await inboxOf(world.store, refOf(id))).map(({ state }) => state)).toEqual(['taken']);
  });
});
