import { describe, expect, test } from 'vitest';
import { type AgentOptions, createAgent, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { failingStore, manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, hashed, quiet, refOf, refusal, until, untilIdle } from './looking.js';
import { cluster } from './nodes.js';

const NOT_FOUND = { reason: 'TASK_NOT_FOUND' };
const chunk = (text: string): ScriptStep => ({ do: 'append', artifactId: 'a', text });
const HANG: readonly ScriptStep[] = [chunk('x'), { do: 'flush' }, { do: 'gate', name: 'never' }];
const name = (taskId: string) => ({ taskId, owner: '' });

function one(script: readonly ScriptStep[], options: Partial<AgentOptions> = {}) {
  const executor = scriptedExecutor(script);
  const errors: string[] = [];
  const store = options.store ?? memoryStore();
  const agent = createAgent({ name: 'Forgetful', executor, onError: (error) => errors.push(error.message), ...options, store });
  return { agent, executor, store, errors, caller: callerOf(agent) };
}

describe('D60: agent.tasks.delete', () => {
  test('D60: a running task is stopped and deleted; its readers, its senders and later calls get TASK_NOT_FOUND', async () => {
    const { agent, caller, executor, store, errors } = one(HANG);
    const reader = await caller.stream('go');
    await reader.until(2);
    const id = agent.tasks.running[0]?.taskId ?? '';
    const waiting = follow(caller.send(say('and', { taskId: id })));
    await quiet();
    expect(await agent.tasks.delete(name(id))).toBe(true);
    expect(await reader.ended).toMatchObject({ kind: 'error', error: NOT_FOUND });
    expect(await refusal(waiting.outcome)).toMatchObject(NOT_FOUND);
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    await untilIdle(agent);
    expect(await refusal(caller.get(id))).toMatchObject(NOT_FOUND);
    expect(await refusal(caller.subscribe(id).then((later) => later.all()))).toMatchObject(NOT_FOUND);
    expect([await store.load(refOf(id)), await store.orphans('', 10), (await caller.list()).totalSize, errors]).toEqual([
      undefined,
      [],
      0,
      [],
    ]);
    await agent.close();
  });

  test('D60: an ended task and a task that waits for its caller are deleted, an unknown one is not', async () => {
    const { agent, caller, executor } = one([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }]);
    const asked = await caller.task('go');
    const ended = await caller.task('go');
    await caller.send(say('this', { taskId: ended.id }));
    expect(await agent.tasks.delete(name('unknown'))).toBe(false);
    expect(await agent.tasks.delete({ taskId: asked.id, owner: 'other' })).toBe(false);
    expect(await agent.tasks.delete({ taskId: asked.id, owner: '', tenant: 'other' })).toBe(false);
    for (const { id } of [asked, ended]) {
      expect(await agent.tasks.delete(name(id))).toBe(true);
      expect(await agent.tasks.delete(name(id))).toBe(false);
      expect(await refusal(caller.send(say('more', { taskId: id })))).toMatchObject(NOT_FOUND);
    }
    await untilIdle(agent);
    expect(executor.runs).toHaveLength(2);
    await agent.close();
  });

  test('D60: a repeat with the idempotency key of a deleted task gets TASK_NOT_FOUND and does not run again', async () => {
    const { agent, caller, executor } = one([chunk('secret'), { do: 'complete' }]);
    const message = say('go');
    const options = { idempotencyKey: 'key-1' };
    const { task } = await caller.send(message, undefined, options);
    await agent.tasks.delete(name(task?.id ?? ''));
    expect(await refusal(caller.send(message, undefined, options))).toMatchObject(NOT_FOUND);
    expect(await refusal(caller.send(say('other body'), undefined, options))).toMatchObject(NOT_FOUND);
    expect(await refusal(caller.stream(message, options).then((reader) => reader.all()))).toMatchObject(NOT_FOUND);
    expect(executor.runs).toHaveLength(1);
    await agent.close();
  });

  test('D60: a task whose first commit is in flight is deleted after that commit', async () => {
    const store = failingStore(memoryStore());
    const { agent, caller } = one(HANG, { store });
    store.hold();
    const sent = follow(caller.send('go'));
    await until(() => store.held === 1);
    const id = agent.tasks.running[0]?.taskId ?? '';
    const deleted = follow(agent.tasks.delete(name(id)));
    await quiet();
    expect(deleted.isSettled).toBe(false);
    store.release();
    expect(await deleted.outcome).toBe(true);
    expect(await refusal(sent.outcome)).toMatchObject(NOT_FOUND);
    expect((await caller.list()).totalSize).toBe(0);
    await agent.close();
  });

  test('D60: an erasure that fails changes nothing, and the run goes on', async () => {
    const inner = memoryStore();
    const erase: TaskStore['erase'] = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const { agent, caller, executor } = one([chunk('x'), { do: 'gate', name: 'on' }, { do: 'complete' }], { store: { ...inner, erase } });
    const { id } = await caller.task('go', { returnImmediately: true });
    expect(await refusal(agent.tasks.delete(name(id)))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    executor.open('on');
    await untilIdle(agent);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    await agent.close();
  });

  test('D60: names that are not strings are refused', async () => {
    const { agent } = one([]);
    for (const wrong of [{ owner: '' }, { taskId: 'a' }, { taskId: 'a', owner: '', tenant: 1 }]) {
      expect(await refusal(agent.tasks.delete(wrong as never))).toMatchObject({ reason: 'INVALID_PARAMS' });
    }
    await agent.close();
  });
});

describe('D60: agent.tasks.deleteContext', () => {
  test('D60: all tasks of the context are deleted, in any state and more than one batch, and no other', async () => {
    const { agent, caller } = one([{ do: 'complete' }]);
    for (let n = 0; n < 45; n += 1) await caller.task(say('go', { contextId: 'mine' }));
    const other = await caller.task(say('go', { contextId: 'other' }));
    expect(await agent.tasks.deleteContext({ contextId: 'mine', owner: 'other' })).toBe(0);
    expect(await agent.tasks.deleteContext({ contextId: 'mine', owner: '' })).toBe(45);
    expect(await agent.tasks.deleteContext({ contextId: 'mine', owner: '' })).toBe(0);
    expect((await caller.list()).tasks.map(({ id }) => id)).toEqual([other.id]);
    await agent.close();
  });

  test('D60: runs of the context are stopped, also a run that has not stored its task yet', async () => {
    const { agent, caller, executor } = one([{ do: 'gate', name: 'never' }], { clock: manualClock() });
    const sent = follow(caller.send(say('go', { contextId: 'mine' })));
    await until(() => executor.runs.length === 1);
    await agent.tasks.deleteContext({ contextId: 'mine', owner: '' });
    expect(await refusal(sent.outcome)).toMatchObject(NOT_FOUND);
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    expect((await caller.list()).totalSize).toBe(0);
    await agent.close();
  });

  test('D60: a direct reply that is kept for its key is erased with its context', async () => {
    const { agent, caller, executor } = one([{ do: 'reply', text: 'secret' }]);
    const message = say('go', { contextId: 'mine' });
    const options = { idempotencyKey: 'key-1' };
    await caller.send(message, undefined, options);
    expect(await agent.tasks.deleteContext({ contextId: 'mine', owner: '' })).toBe(0);
    expect(await refusal(caller.send(message, undefined, options))).toMatchObject(NOT_FOUND);
    await hashed();
    expect(executor.runs).toHaveLength(1);
    await agent.close();
  });
});

describe('D60: deletion on another node', () => {
  function two(options: Partial<AgentOptions>) {
    const clock = manualClock();
    const { start, store } = cluster({ ...memoryStore({ clock }), isRemote: true }, clock);
    const executor = scriptedExecutor([chunk('one'), { do: 'flush' }, { do: 'gate', name: 'on' }, chunk('two'), { do: 'complete' }]);
    const [a, b] = [start({ clock, executor, ...options }), start({ clock, executor: scriptedExecutor([]), ...options })];
    const done = async <T>(call: Promise<T>): Promise<T> => {
      await clock.tick();
      return call;
    };
    return { a, b, clock, store, executor, done };
  }

  test('D60: the owner stops its run when the bus reports the deletion, and readers on every node get TASK_NOT_FOUND', async () => {
    const { a, b, clock, executor, done, store } = two({ bus: memoryBus(), rereadMs: 1e9 });
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const readers = [await done(a.caller.subscribe(id)), await done(b.caller.subscribe(id))];
    expect(await done(b.agent.tasks.delete(name(id)))).toBe(true);
    await clock.tick(10);
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    for (const reader of readers) expect(await reader.ended).toMatchObject({ kind: 'error', error: NOT_FOUND });
    executor.open('on');
    await clock.tick(10);
    expect([await store.load(refOf(id)), a.agent.tasks.running, a.errors]).toEqual([undefined, [], []]);
  });

  const SILENT = { notify: () => {}, listen: () => () => {}, close: async () => {} };

  test('D60: an owner that did not hear of the deletion gets it from its next commit, and writes nothing more', async () => {
    const { a, b, clock, executor, done, store } = two({ bus: SILENT, rereadMs: 1e9 });
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    const reader = await done(a.caller.subscribe(id));
    await done(b.agent.tasks.delete(name(id)));
    expect(executor.runs[0]?.signal.aborted).toBe(false);
    executor.open('on'); // the next commit finds that the task is gone
    await clock.tick(10);
    expect(await reader.ended).toMatchObject({ kind: 'error', error: NOT_FOUND });
    expect([await store.load(refOf(id)), a.agent.tasks.running]).toEqual([undefined, []]);
  });

  test('D60: an owner that did not hear of the deletion and commits nothing gets it from its periodic query', async () => {
    const { a, b, clock, executor, done } = two({ bus: SILENT, rereadMs: 5_000 });
    const { id } = await done(a.caller.task('go', { returnImmediately: true }));
    await done(b.agent.tasks.delete(name(id)));
    expect(executor.runs[0]?.signal.aborted).toBe(false);
    await clock.tick(5_001);
    expect([executor.runs[0]?.signal.aborted, a.agent.tasks.running]).toEqual([true, []]);
  });
});
