import { describe, expect, test } from 'vitest';
import type { TaskWrite } from '../src/server/advanced.js';
import { createAgent, memoryStore } from '../src/server/index.js';
import { failingStore, manualClock, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, logOf, refOf, refusal, storyOf, until } from './looking.js';

const NAME = { name: 'Postbox' };

describe('D2: requests to an existing task go through its inbox', () => {
  test('D2: messages to a running task are committed at once, taken in order, and run once each', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor(
      [{ do: 'working' }, { do: 'gate', name: 'first' }, { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }],
      {
        turns: [[{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }], [{ do: 'complete' }]],
      },
    );
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const { id } = await caller.task('one', { returnImmediately: true });
    await caller.task(say('two', { taskId: id }), { returnImmediately: true });
    await caller.task(say('three', { taskId: id }), { returnImmediately: true });
    expect((await inboxOf(store, refOf(id))).map(({ n, kind, state }) => [n, kind, state])).toEqual([
      [1, 'message', 'pending'],
      [2, 'message', 'pending'],
    ]);
    const reader = await caller.subscribe(id);
    executor.open('first');
    await reader.all();
    expect(executor.runs.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    const inputs = (await logOf(store, refOf(id))).filter(({ kind }) => kind === 'input');
    const rows = await inboxOf(store, refOf(id));
    expect(rows.map(({ state, seq }) => [state, seq])).toEqual(inputs.slice(1).map(({ seq }) => ['taken', seq]));
  });

  test('D2: taking a message on an interrupted task and the WORKING status are one commit', async () => {
    const writes: TaskWrite[] = [];
    const store = failingStore(memoryStore(), (_, batch) => {
      writes.push(...batch);
      return undefined;
    });
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const { id } = await caller.task('go');
    await caller.task(say('this', { taskId: id }));
    const taking = writes.filter(({ take }) => take !== undefined);
    expect(taking).toHaveLength(1);
    expect(taking[0]?.entries.slice(0, 2).map(({ kind }) => kind)).toEqual(['input', 'status']);
    expect(taking[0]?.entries[1]?.json).toContain('TASK_STATE_WORKING');
    expect(taking[0]?.take).toEqual([{ n: 1, seq: taking[0]?.entries[0]?.seq }]);
  });

  test('D2: the commit that ends the task refuses pending messages, and their senders get an error', async () => {
    const writes: TaskWrite[] = [];
    const store = failingStore(memoryStore(), (_, batch) => {
      writes.push(...batch);
      return undefined;
    });
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    const reader = await caller.subscribe(id);
    const waiting = refusal(caller.send(say('too late', { taskId: id })));
    await caller.task(say('not waited for', { taskId: id }), { returnImmediately: true });
    executor.open('end');
    expect(await waiting).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
    await reader.all();
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['refused', 'refused']);
    expect(writes.at(-1)?.head?.state, 'no event was written after the end').toBe('TASK_STATE_COMPLETED');
    expect(executor.runs).toHaveLength(1);
    expect((await caller.get(id)).history?.map(({ parts }) => parts[0]?.text)).toEqual(['go']);
  });

  test('D2: a returnImmediately send to a waiting task returns when its row is taken, so it never returns the old question', async () => {
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id, status } = await caller.task('go');
    expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const task = await caller.task(say('this', { taskId: id }), { returnImmediately: true });
    expect(task.status).toMatchObject({ state: 'TASK_STATE_WORKING' });
    expect(task.status.message).toBeUndefined();
    expect(task.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'which?', 'this']);
    executor.open('end');
  });

  test('D2: a returnImmediately send to a running task returns at once, with its row still pending', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    const task = await caller.task(say('and', { taskId: id }), { returnImmediately: true });
    expect(task.status.state).toMatch(/SUBMITTED|WORKING/);
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['pending']);
    executor.open('end');
  });

  test('D2: a cancel is taken at once, before the pending messages, which are refused', async () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const caller = callerOf(createAgent({ ...NAME, clock, store, executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    const sent = refusal(caller.send(say('in front', { taskId: id })));
    await clock.tick();
    const canceled = await caller.cancel(id);
    expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
    expect((await sent).reason).toBe('UNSUPPORTED_OPERATION');
    const rows = await inboxOf(store, refOf(id));
    expect(rows.map(({ kind, state }) => [kind, state])).toEqual([
      ['message', 'refused'],
      ['cancel', 'taken'],
    ]);
    const end = (await logOf(store, refOf(id))).at(-1);
    expect(rows[1]?.seq, 'taken by the CANCELED status').toBe(end?.seq);
    expect(executor.runs).toHaveLength(1);
  });

  test('D2: a message that is sent before a question with `early` answers it', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'gate', name: 'ask' },
      { do: 'requireInput', prompt: 'which?', early: true },
      { do: 'complete' },
    ]);
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    const answered = caller.task(say('this', { taskId: id }));
    await caller.task(say('later', { taskId: id }), { returnImmediately: true });
    executor.open('ask');
    expect((await answered).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['this']);
    expect(await storyOf(store, refOf(id))).toContain('input:reply');
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['taken', 'refused']);
  });

  test('D2: a message that is delayed in a slow store is neither lost nor duplicated', async () => {
    const store = failingStore(memoryStore());
    const asked = gate();
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'call', run: asked.open }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const { id } = await caller.task('go');
    store.hold();
    const sent = follow(caller.task(say('this', { taskId: id })));
    await until(() => store.held > 0);
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['pending']);
    expect(sent.isSettled).toBe(false);
    store.release();
    await asked.passed;
    expect((await sent.outcome).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['this']);
  });
});
