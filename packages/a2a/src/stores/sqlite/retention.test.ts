import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { manualClock } from '../../testing/index.js';
import type { TaskRef, TaskWrite } from '../store.js';
import { sqlite } from './index.js';

const newFile = tempFiles();
const DAY_MS = 86_400_000;
const START = 1_750_000_000_000;
const refOf = (id: string): TaskRef => ({ agent: '', tenant: '', owner: '', id });

function creation(id: string, statusAt: number, more: Partial<TaskWrite> = {}): TaskWrite {
  return {
    ref: refOf(id),
    epoch: 1,
    firstSeq: 1,
    entries: [{ seq: 1, kind: 'task', at: statusAt, json: '{"task":{}}', generation: 1 }],
    create: { node: 'node' },
    head: { contextId: 'context', state: 'TASK_STATE_COMPLETED', statusAt, statusSeq: 1 },
    snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
    ...more,
  };
}

/** Reads a row of the file through another connection. */
function row(file: string, sql: string): unknown {
  const database = new Database(file);
  try {
    return database.prepare(sql).raw(true).get([]);
  } finally {
    database.close();
  }
}

describe('D10: retention', () => {
  test('D10: replayHours is 24 by default, lingerMs 2', async () => {
    const stores = [sqlite(newFile()), sqlite(newFile(), { replayHours: 3, lingerMs: 0 })];
    expect(stores.map(({ replayHours, lingerMs }) => [replayHours, lingerMs])).toEqual([
      [24, 2],
      [3, 0],
    ]);
    for (const store of stores) await store.close();
  });

  test('D10: a sweep handles at most one batch, and compacted or deleted data is removed from the file', async () => {
    const file = newFile();
    const store = sqlite(file);
    const ids = Array.from({ length: 10 }, (_, index) => `t${index}`);
    await store.commit(ids.map((id, index) => creation(id, START + index)));
    const policy = { agent: '', replayMs: DAY_MS, batch: 4 };
    const later = START + DAY_MS + 100;
    expect([await store.sweep(policy, later), await store.sweep(policy, later), await store.sweep(policy, later)]).toEqual([4, 4, 2]);
    expect(await store.sweep(policy, later)).toBe(0);
    expect(row(file, 'SELECT count(*) FROM events')).toEqual([0]);
    expect(row(file, 'SELECT count(*) FROM tasks')).toEqual([10]);
    expect(await store.sweep({ ...policy, deleteFinalAfterMs: DAY_MS }, later)).toBe(4);
    expect(await store.load(refOf('t3'))).toBeUndefined();
    expect(await store.load(refOf('t4'))).toBeDefined();
    expect((await store.list({ agent: '', tenant: '', owner: '', limit: 1, count: true })).total).toBe(6);
    await store.close();
  });

  test('D10: the oldest tasks are deleted first, compacted or not; tasks that have not ended are kept', async () => {
    const store = sqlite(newFile());
    const running = { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: 1, statusSeq: 1 } as const;
    await store.commit([creation('new', 40), creation('old', 20), creation('older', 10), creation('running', 1, { head: running })]);
    expect(await store.sweep({ agent: '', replayMs: 0, batch: 1 }, 100)).toBe(1);
    expect(await store.readAfter(refOf('older'), 0, 1)).toBe('compacted');
    expect(await store.sweep({ agent: '', deleteFinalAfterMs: 0, replayMs: 1_000, batch: 2 }, 100)).toBe(2);
    const { tasks } = await store.list({ agent: '', tenant: '', owner: '', limit: 10, count: false });
    expect(tasks.map(({ ref }) => ref.id)).toEqual(['new', 'running']);
    await store.close();
  });

  test('D10, D17: requests are kept for 24 hours, also across a reopen, and are then removed from the file', async () => {
    const clock = manualClock(START);
    const file = newFile();
    const key = { agent: '', tenant: '', owner: '', key: 'key' };
    const first = sqlite(file, { clock });
    await first.beginRequest(key, 'hash', 'node');
    await first.endRequest(key, '{"m":1}');
    await first.close();
    await clock.tick(DAY_MS - 1);
    const store = sqlite(file, { clock });
    expect(await store.beginRequest(key, 'hash', 'node')).toEqual({ kind: 'done', replyJson: '{"m":1}' });
    await clock.tick(1);
    expect(await store.beginRequest(key, 'other', 'node')).toEqual({ kind: 'new', attempt: 1 });
    await clock.tick(DAY_MS);
    await store.sweep({ agent: '', replayMs: DAY_MS, batch: 1 }, clock.now());
    expect(row(file, 'SELECT count(*) FROM requests')).toEqual([0]);
    await store.close();
  });
});

describe('D9: the row of a task is updated only when one of its columns changes', () => {
  test('D9: chunks are rows of the log, one per commit; the current seq is that of the newest row', async () => {
    const file = newFile();
    const store = sqlite(file);
    const head = { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: START, statusSeq: 1 } as const;
    await store.commit([creation('a', START, { head })]);
    const before = row(file, 'SELECT * FROM tasks');
    const entries = [2, 3, 4].map((seq) => ({ seq, kind: 'artifact' as const, at: seq, json: `{"n":${seq}}`, generation: seq }));
    await store.commit([{ ref: refOf('a'), epoch: 1, firstSeq: 2, entries }]);
    expect(row(file, 'SELECT * FROM tasks')).toEqual(before);
    expect(row(file, 'SELECT first_seq, count, epoch, text FROM events WHERE first_seq = 2')).toEqual([
      2,
      3,
      1,
      'a2 {"n":2}\na3 {"n":3}\na4 {"n":4}',
    ]);
    expect(await store.load(refOf('a'))).toMatchObject({ seq: 4, snapshot: { seq: 1 }, tail: entries });
    await store.close();
  });
});

describe('D11: times', () => {
  test('D11: status times are stored as integers and compared as instants', async () => {
    const file = newFile();
    const store = sqlite(file);
    await store.commit([creation('a', 999), creation('b', 1_000), creation('c', START)]);
    expect(row(file, 'SELECT group_concat(DISTINCT typeof(status_at)) FROM tasks')).toEqual(['integer']);
    const { tasks } = await store.list({ agent: '', tenant: '', owner: '', limit: 10, count: false, statusAtOrAfter: 999.5 });
    expect(tasks.map(({ ref, head }) => [ref.id, head.statusAt])).toEqual([
      ['c', START],
      ['b', 1_000],
    ]);
    await store.close();
  });

  test('D11: the store uses the clock that it was given', async () => {
    const clock = manualClock(START);
    const store = sqlite(newFile(), { clock });
    await clock.tick(250);
    expect(await store.now()).toBe(START + 250);
    await store.close();
  });
});
