import { describe, expect, test } from 'vitest';
import { type AgentOptions, createAgent, type EventBus, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { ignoringHeartbeats } from './faults.js';
import { say } from './harness.js';
import { follow, refOf, refusal } from './looking.js';
import { cluster } from './nodes.js';

const MINUTE = 60_000;
const chunk = (text: string): ScriptStep => ({ do: 'append', artifactId: 'a', text });
const STREAM: ScriptStep[] = [chunk('one '), { do: 'flush' }, { do: 'gate', name: 'on' }, chunk('two '), { do: 'complete' }];
const ASK: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }];

/** Nodes on a remote store that counts its position reads. Without a bus in `options`, they get no notifications from each other. */
function world(given: Partial<TaskStore> | ((inner: TaskStore) => Partial<TaskStore>) = {}) {
  const clock = manualClock();
  const asked: { readonly at: number; readonly refs: number }[] = [];
  const inner = memoryStore({ clock });
  const change = typeof given === 'function' ? given(inner) : given;
  const begun = clock.now();
  const positions: TaskStore['positions'] = async (refs) => {
    asked.push({ at: clock.now() - begun, refs: refs.length });
    return (change.positions ?? inner.positions)(refs);
  };
  const { start, store } = cluster({ ...inner, isRemote: true, ...change, positions }, clock);
  const done = async <T>(call: Promise<T>): Promise<T> => {
    await clock.tick();
    return call;
  };
  return { clock, store, asked, done, start: (options: Partial<AgentOptions>) => start({ clock, ...options }) };
}

/** A bus that delivers nothing. The test can make it report whether it is connected. */
function silence(): EventBus & { say(hears: boolean): void } {
  const told: ((hears: boolean) => void)[] = [];
  return {
    notify: () => {},
    listen: (_onMoves, onHearing = () => {}) => {
      told.push(onHearing);
      return () => void told.splice(told.indexOf(onHearing), 1);
    },
    close: async () => {},
    say: (hears) => told.forEach((onHearing) => void onHearing(hears)),
  };
}

describe('a reader on another node with notifications', () => {
  const LINES = ['one ', 'two ', 'three '].flatMap((text): ScriptStep[] => [{ do: 'gate', name: text }, chunk(text), { do: 'flush' }]);

  /** A task on one node and its reader on another. `reads` counts the reads after the reader has caught up. */
  async function reading(slowly: (readAfter: TaskStore['readAfter']) => TaskStore['readAfter'] = (readAfter) => readAfter) {
    const reads: number[] = [];
    const { clock, start, done } = world((inner) => {
      const asked = slowly(inner.readAfter);
      const readAfter: TaskStore['readAfter'] = (ref, seq, maxBytes) => {
        reads.push(seq);
        return asked(ref, seq, maxBytes);
      };
      return { readAfter };
    });
    const bus = memoryBus();
    const executor = scriptedExecutor([chunk('zero '), { do: 'flush' }, ...LINES, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const [a, b] = [start({ executor, bus, rereadMs: 1e9 }), start({ executor: scriptedExecutor([]), bus, rereadMs: 1e9 })];
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const reader = await done(b.caller.subscribe(id));
    await clock.tick(10);
    reads.length = 0;
    const hears = async (gate: string): Promise<void> => {
      executor.open(gate);
      await clock.tick(10);
    };
    return { reads, reader, hears };
  }

  test('reads the store once per notification', async () => {
    const { reads, reader, hears } = await reading();
    for (const [place, text] of ['one ', 'two ', 'three '].entries()) {
      await hears(text);
      expect(reads).toHaveLength(place + 1);
    }
    await hears('end');
    await reader.all();
    expect([reader.text, reader.states.at(-1)]).toEqual(['one two three ', 'COMPLETED']);
  });

  test('reads again if a notification arrives during a read that finds nothing', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { reader, hears } = await reading((readAfter) => async (...args) => {
      const answer = await readAfter(...args);
      if (answer.length === 0) await held; // the result is already determined, and is returned later
      return answer;
    });
    await hears('one ');
    expect(reader.text).not.toContain('one ');
    letGo();
    await hears('nothing');
    expect(reader.text).toContain('one ');
  });
});

describe('D42: lost notifications', () => {
  test('D42: a reader on another node gets each event at most rereadMs late, and then the end', async () => {
    const { clock, start, done } = world();
    const executor = scriptedExecutor(STREAM);
    const [a, b] = [start({ executor }), start({ executor: scriptedExecutor([]) })];
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const reader = await done(b.caller.subscribe(id));
    await clock.tick(5_000);
    expect(reader.seen).toHaveLength(1);
    executor.open('on');
    await clock.tick(4_999);
    expect(reader.seen).toHaveLength(1);
    await clock.tick(1);
    await reader.all();
    expect([reader.text, reader.states.at(-1)]).toEqual(['two ', 'COMPLETED']);
  });

  test.each([
    [
      'an answer',
      async (call: ReturnType<ReturnType<typeof world>['start']>['caller'], id: string) => call.task(say('this', { taskId: id })),
    ],
    ['a cancel', async (call: ReturnType<ReturnType<typeof world>['start']>['caller'], id: string) => call.cancel(id)],
  ])('D2, D42: %s through another node reaches a run without a notification, and its caller gets the outcome', async (_name, act) => {
    const { clock, start, done } = world();
    const [a, b] = [start({ executor: scriptedExecutor(ASK) }), start({ executor: scriptedExecutor([]) })];
    const { id } = await done(a.caller.task('go'));
    const acting = follow(act(b.caller, id));
    await clock.tick(10_000);
    expect((await acting.outcome).status.state).toMatch(/COMPLETED|CANCELED/);
    expect(a.agent.tasks.running).toEqual([]);
  });

  test('D42: rereadMs sets the interval, and one read covers all tasks that this node follows or runs', async () => {
    const { clock, asked, start, done } = world();
    const [a, b] = [start({ executor: scriptedExecutor(STREAM), rereadMs: 2_000 }), start({ executor: scriptedExecutor([]) })];
    const ids: string[] = [];
    for (let k = 0; k < 3; k += 1) ids.push((await done(a.caller.task('go', { returnImmediately: true }))).id);
    for (const id of ids.slice(1)) await done(b.caller.subscribe(id));
    await done(b.caller.subscribe(ids[1] ?? ''));
    asked.length = 0;
    await clock.tick(10_000);
    expect(asked).toEqual([
      { at: 2_000, refs: 3 },
      { at: 4_000, refs: 3 },
      { at: 5_000, refs: 2 },
      { at: 6_000, refs: 3 },
      { at: 8_000, refs: 3 },
      { at: 10_000, refs: 2 },
      { at: 10_000, refs: 3 },
    ]);
  });

  test('D42: there is no read without a task to follow, and none of a store that is not shared', async () => {
    const { clock, asked, start, done } = world();
    start({ executor: scriptedExecutor([]) });
    await clock.tick(MINUTE);
    expect(asked).toEqual([]);
    const alone = world({ isRemote: false });
    const node = alone.start({ executor: scriptedExecutor(STREAM) });
    const { id } = await alone.done(node.caller.task('go', { returnImmediately: true }));
    await alone.done(node.caller.subscribe(id));
    await alone.clock.tick(MINUTE);
    expect(alone.asked).toEqual([]);
    const busy = start({ executor: scriptedExecutor([{ do: 'complete' }]) });
    await done(busy.caller.task('go'));
    await clock.tick(MINUTE);
    expect(asked, 'tasks that have ended are not read').toEqual([]);
  });

  test('D42: the interval is 250 ms while the bus is disconnected, with a read at once when it reconnects', async () => {
    const { clock, asked, start, done } = world();
    const bus = silence();
    const a = start({ executor: scriptedExecutor(STREAM), bus });
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    await done(a.caller.subscribe(id));
    await clock.tick(1_000);
    bus.say(false);
    await clock.tick(1_100);
    expect(asked.splice(0).map(({ at }) => at)).toEqual([1_250, 1_500, 1_750, 2_000]);
    bus.say(true);
    await clock.tick(10_000);
    expect(asked.map(({ at }) => at)).toEqual([2_100, 7_100, 12_100]);
  });

  test('D42: a slow read is not started twice, and another read follows it if a reconnect happened meanwhile', async () => {
    const clock = manualClock();
    let atOnce = 0;
    let most = 0;
    const inner = memoryStore({ clock });
    const positions: TaskStore['positions'] = async (refs) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise<void>((resolve) => clock.after(1_000, resolve));
      atOnce -= 1;
      return inner.positions(refs);
    };
    const bus = silence();
    let asked = 0;
    const counted: TaskStore['positions'] = (refs) => {
      asked += 1;
      return positions(refs);
    };
    const { start } = cluster({ ...inner, isRemote: true, positions: counted }, clock);
    const a = start({ clock, executor: scriptedExecutor(STREAM), bus });
    const sending = a.caller.task('go', { returnImmediately: true });
    await clock.tick();
    await sending;
    bus.say(false);
    await clock.tick(2_000);
    expect([asked, most], 'after 250 ms, and 250 ms after the response').toEqual([2, 1]);
    bus.say(true);
    await clock.tick(500);
    expect([asked, most], 'the second response has come').toEqual([3, 1]);
    await clock.tick(5_999);
    expect(asked).toBe(3);
    await clock.tick(1);
    expect([asked, most]).toEqual([4, 1]);
  });

  test('D42: twelve hundred tasks take two reads', async () => {
    const { clock, asked, start } = world();
    const a = start({ executor: scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]), maxRunningTasks: 3_000 });
    const sent = Array.from({ length: 1_200 }, () => a.caller.task('go', { returnImmediately: true }));
    await clock.tick();
    await Promise.all(sent);
    await clock.tick(5_000);
    expect(asked.map(({ refs }) => refs)).toEqual([1_000, 200]);
  });

  test('D42: a read that fails is retried at most once per second and ends no reader', async () => {
    let fails = 0;
    const inner = memoryStore();
    const { clock, store, asked, start, done } = world({
      positions: async (refs) => {
        fails -= 1;
        if (fails >= 0) throw new Error('connect ECONNREFUSED');
        return Promise.all(refs.map(async (ref) => (await store.load(ref)) && { seq: 99, epoch: 1, posted: 0 }));
      },
      now: inner.now,
    });
    const bus = silence();
    const a = start({ executor: scriptedExecutor(STREAM), bus });
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const reader = follow((await done(a.caller.subscribe(id))).ended);
    bus.say(false);
    fails = 3;
    await clock.tick(3_400);
    expect(asked.map(({ at }) => at)).toEqual([250, 1_250, 2_250, 3_250]);
    expect([reader.isSettled, a.agent.tasks.running.length]).toEqual([false, 1]);
  });

  test('D10, D42: readers and waiting callers of a task that was deleted elsewhere get TaskNotFound', async () => {
    let isGone = false;
    const { clock, start, done, store } = world();
    const gone: Partial<TaskStore> = {
      positions: async (refs) => (isGone ? refs.map(() => undefined) : store.positions(refs)),
      readAfter: async (...call) => (isGone ? 'missing' : store.readAfter(...call)),
      inbox: async (...call) => (isGone ? [] : store.inbox(...call)),
    };
    const a = start({ executor: scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]) });
    const b = start({ executor: scriptedExecutor([]), store: { ...store, ...gone } });
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const reader = await done(b.caller.subscribe(id));
    const sent = follow(b.caller.task(say('more', { taskId: id })));
    sent.outcome.catch(() => {});
    await clock.tick(5_000);
    expect(sent.isSettled).toBe(false);
    isGone = true;
    await clock.tick(5_000);
    expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'TASK_NOT_FOUND' } });
    expect(await refusal(sent.outcome)).toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  test('D12, D42: a run that another node took over is aborted, even if its own node missed no heartbeat', async () => {
    const { clock, start, done, store } = world();
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const next = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const a = start({ recovery: 'restart', executor, store: ignoringHeartbeats(store) });
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const b = start({ recovery: 'restart', executor: next });
    await clock.tick();
    expect(next.runs).toMatchObject([{ attempt: 2 }]);
    await clock.tick(5_000);
    expect([executor.runs[0]?.signal.aborted, a.agent.tasks.running, b.agent.tasks.running.length]).toEqual([true, [], 1]);
    expect((await store.load(refOf(id)))?.node).toBe(b.agent.settings.node);
  });

  test('D20, D42: there is no read after close', async () => {
    const { clock, asked, start, done } = world();
    const bus = silence();
    const a = start({ executor: scriptedExecutor(STREAM), recovery: 'restart', bus });
    await done(a.caller.task('go', { returnImmediately: true }));
    const closing = follow(a.agent.close({ drainMs: 1 }));
    await clock.tick(1);
    await closing.outcome;
    asked.length = 0;
    bus.say(false);
    await clock.tick(MINUTE);
    expect([asked, clock.pending]).toEqual([[], 0]);
  });

  test('D42: an invalid rereadMs is refused', () => {
    for (const rereadMs of [0, -1, Number.NaN]) {
      expect(() => createAgent({ name: 'Node', execute: () => 'x', rereadMs })).toThrow(/rereadMs must be a positive number/);
    }
  });

  test('D42: with a connected bus, readers do not wait for the interval', async () => {
    const { clock, start, done } = world();
    const bus = memoryBus();
    const executor = scriptedExecutor(STREAM);
    const [a, b] = [start({ executor, bus }), start({ executor: scriptedExecutor([]), bus })];
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const reader = await done(b.caller.subscribe(id));
    executor.open('on');
    await clock.tick();
    await reader.all();
    expect(reader.text).toBe('two ');
  });
});
