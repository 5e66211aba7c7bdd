import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { isA2AError } from '../../protocol/errors.js';
import { manualClock } from '../../testing/index.js';
import { memoryStore } from '../memory.js';
import type { TaskRef, TaskStore, TaskWrite } from '../store.js';

const KEY = { agent: '', tenant: '', owner: '', key: 'key' } as const;
const DAY_MS = 86_400_000;

const refOf = (id: number | string): TaskRef => ({ agent: '', tenant: '', owner: '', id: String(id) });

/** A task that one write creates and ends. Its log has `length` characters. */
function ended(id: number | string, statusAt: number, length = 10): TaskWrite {
  return {
    ref: refOf(id),
    epoch: 1,
    firstSeq: 1,
    entries: [{ seq: 1, kind: 'task', at: statusAt, json: 'x'.repeat(length), generation: 1 }],
    create: { node: 'node' },
    head: { contextId: `context ${id}`, state: 'TASK_STATE_COMPLETED', statusAt, statusSeq: 1 },
    snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
  };
}

function running(id: number | string, statusAt: number): TaskWrite {
  return { ...ended(id, statusAt), head: { contextId: `context ${id}`, state: 'TASK_STATE_WORKING', statusAt, statusSeq: 1 } };
}

async function replayable(store: TaskStore, ids: readonly (number | string)[]): Promise<readonly (number | string)[]> {
  const logs = await Promise.all(ids.map((id) => store.readAfter(refOf(id), 0, 1e9)));
  return ids.filter((_, index) => Array.isArray(logs[index]));
}

async function kept(store: TaskStore, ids: readonly (number | string)[]): Promise<readonly (number | string)[]> {
  const tasks = await Promise.all(ids.map((id) => store.load(refOf(id))));
  return ids.filter((_, index) => tasks[index] !== undefined);
}

describe('D9: the memory store keeps the events of the most recently ended tasks', () => {
  test('D9: it keeps replayTasks tasks, by status time and not by order of arrival', async () => {
    const store = memoryStore({ replayTasks: 2 });
    await store.commit([ended('b', 2), ended('d', 4), ended('c', 3), ended('a', 1)]);
    expect(await replayable(store, ['a', 'b', 'c', 'd'])).toEqual(['c', 'd']);
    expect(await store.readAfter(refOf('a'), 0, 1)).toBe('compacted');
    expect(await store.readAfter(refOf('a'), 1, 1)).toEqual([]);
    expect((await store.load(refOf('a')))?.snapshot).toMatchObject({ seq: 1, text: { head: '{}', history: '', artifacts: '' } });
  });

  test('D9: it keeps 1,000 tasks by default', async () => {
    const store = memoryStore();
    await store.commit(Array.from({ length: 1_001 }, (_, id) => ended(id, id)));
    expect(await replayable(store, [0, 1, 2, 1_000])).toEqual([1, 2, 1_000]);
  });

  test('D9: it keeps at most replayBytes characters of events', async () => {
    const store = memoryStore({ replayBytes: 100 });
    await store.commit([ended('a', 1, 40), ended('b', 2, 40), ended('c', 3, 20)]);
    expect(await replayable(store, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    await store.commit([ended('d', 4, 1)]);
    expect(await replayable(store, ['a', 'b', 'c', 'd'])).toEqual(['b', 'c', 'd']);
    await store.commit([ended('big', 5, 101)]);
    expect(await replayable(store, ['b', 'c', 'd', 'big'])).toEqual([]);
    await store.commit([ended('e', 6, 100)]);
    expect(await replayable(store, ['e'])).toEqual(['e']);
  });

  test('D9: the events of a task that has not ended are always kept', async () => {
    const store = memoryStore({ replayTasks: 0, replayBytes: 0 });
    await store.commit([running('a', 1), ended('b', 2)]);
    expect(await replayable(store, ['a', 'b'])).toEqual(['a']);
  });

  test('D9: the texts of inbox rows are dropped together with the log', async () => {
    const store = memoryStore({ replayTasks: 1 });
    await store.commit([running('a', 1)]);
    await store.post(refOf('a'), 'message', '{"long":"text"}');
    const { create: _create, entries: _entries, ...end } = ended('a', 2);
    await store.commit([{ ...end, firstSeq: 2, entries: [] }]);
    expect(await store.inbox(refOf('a'), 0)).toEqual([{ n: 1, kind: 'message', json: '{"long":"text"}', state: 'refused' }]);
    await store.commit([ended('b', 3)]);
    expect(await store.inbox(refOf('a'), 0)).toEqual([{ n: 1, kind: 'message', json: '', state: 'refused' }]);
  });
});

describe('D9: the memory store deletes tasks only because of maxTasks', () => {
  test('D9: a task beyond maxTasks evicts the task that ended longest ago', async () => {
    const store = memoryStore({ maxTasks: 3 });
    await store.commit([ended('b', 2), ended('a', 1), ended('c', 3)]);
    expect(await kept(store, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    await store.commit([running('d', 4)]);
    expect(await kept(store, ['a', 'b', 'c', 'd'])).toEqual(['b', 'c', 'd']);
  });

  test('D9: tasks that have not ended are kept, however many there are', async () => {
    const store = memoryStore({ maxTasks: 1 });
    await store.commit([running('a', 1), running('b', 2), running('c', 3)]);
    expect(await kept(store, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  });

  test('D9: an invalid limit is refused at startup', () => {
    for (const options of [{ maxTasks: 0 }, { maxTasks: Number.NaN }, { replayTasks: -1 }, { replayBytes: -1 }]) {
      expect(() => memoryStore(options)).toThrow(expect.toSatisfy((error) => isA2AError(error) && error.reason === 'INVALID_PARAMS'));
    }
  });
});

describe('D17: the memory store uses its own clock', () => {
  test('D17: a request is kept for exactly 24 hours', async () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    await store.beginRequest(KEY, 'hash', 'node');
    await store.endRequest(KEY, '{}');
    await clock.tick(DAY_MS - 1);
    expect(await store.beginRequest(KEY, 'hash', 'node')).toEqual({ kind: 'done', replyJson: '{}' });
    await clock.tick(1);
    expect(await store.beginRequest(KEY, 'other', 'node')).toEqual({ kind: 'new', attempt: 1 });
  });

  test('D12: a node is alive until the time of its heartbeat', async () => {
    const clock = manualClock(0);
    const store = memoryStore({ clock });
    await store.commit([running('a', 1)]);
    await store.beat('node', 'first', 100);
    await clock.tick(99);
    expect(await store.claim(refOf('a'), 'other')).toBe('owned');
    await clock.tick(1);
    expect(await store.claim(refOf('a'), 'other')).toMatchObject({ epoch: 2, node: 'other' });
    expect(await store.now()).toBe(100);
  });

  test('D12: a replaced incarnation stays dead, even if the clock is set back', async () => {
    let now = 1_000;
    const store = memoryStore({ clock: { ...manualClock(), now: () => now } });
    await store.commit([running('a', 1)]);
    await store.beat('node', 'first', 900);
    expect(await store.beat('node', 'second', 2_000)).toBe('ok');
    now = 800;
    expect(await store.orphans('', 10)).toEqual([refOf('a')]);
  });
});

describe('D8: the memory store keeps an ended task as text', () => {
  test('D8: ropes and slices are copied, so a task takes little more memory than its three texts', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const store = memoryStore();
    const count = 4_000;
    const pad = 'y'.repeat(2_000);
    let chars = 0;
    const fill = async (from: number): Promise<void> => {
      for (let id = from; id < from + count; id += 1) {
        let rope = `{"id":"${id}"`;
        for (let piece = 0; piece < 30; piece += 1) rope += `,"${piece}":${id}`;
        const slice = `${id}${pad}`.slice(0, 200);
        chars = rope.length + slice.length * 2;
        const artifacts = [{ n: 0, json: slice.slice(1) }];
        const snapshot = { head: rope, history: slice, messagesBefore: 0, messages: 1, historyBytes: 200, artifacts };
        await store.commit([{ ...ended(id, id), snapshot }]);
      }
      await store.sweep({ agent: '', replayMs: 0, batch: count * 2 }, DAY_MS);
    };
    await fill(0);
    const before = heap();
    await fill(count);
    const perTask = (heap() - before) / count;
    // Without copying, the same texts take more than 4,000 bytes.
    expect(perTask).toBeLessThan(chars + 600);
    expect(await kept(store, [0, count])).toEqual([0, count]);
  });
});
