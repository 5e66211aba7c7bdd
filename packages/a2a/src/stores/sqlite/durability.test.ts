import { copyFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import type { TaskRef, TaskStore, TaskWrite } from '../store.js';
import { type SqliteOptions, sqlite } from './index.js';

/** The disk of this test: counts syncs, can be delayed, and can fail. */
const disk = vi.hoisted(() => ({
  asked: 0,
  done: 0,
  error: null as NodeJS.ErrnoException | null,
  held: undefined as (() => void)[] | undefined,
  onKept: (): void => {},
}));

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const fdatasync: typeof fs.fdatasync = Object.assign((file: number, callback: (error: NodeJS.ErrnoException | null) => void) => {
    disk.asked += 1;
    const start = (): void =>
      fs.fdatasync(file, (error) => {
        disk.done += 1;
        if ((disk.error ?? error) === null) disk.onKept();
        callback(disk.error ?? error);
      });
    if (disk.held === undefined) start();
    else disk.held.push(start);
  }, fs.fdatasync);
  return { ...fs, fdatasync };
});

const newFile = tempFiles();

beforeEach(() => {
  Object.assign(disk, { asked: 0, done: 0, error: null, held: undefined, onKept: () => {} });
});

const refOf = (id: string): TaskRef => ({ agent: '', tenant: '', owner: '', id });

function creation(id: string, more: Partial<TaskWrite> = {}): TaskWrite {
  return {
    ref: refOf(id),
    epoch: 1,
    firstSeq: 1,
    entries: [{ seq: 1, kind: 'task', at: 1, json: '{"task":{}}', generation: 1 }],
    create: { node: 'node' },
    head: { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: 1, statusSeq: 1 },
    snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
    ...more,
  };
}

function chunk(id: string, seq: number, more: Partial<TaskWrite> = {}): TaskWrite {
  return {
    ref: refOf(id),
    epoch: 1,
    firstSeq: seq,
    entries: [{ seq, kind: 'artifact', at: seq, json: `{"n":${seq}}`, generation: seq }],
    ...more,
  };
}

/** A store with one task, with the counters reset after its creation. */
async function withTask(options: SqliteOptions = {}): Promise<{ readonly store: TaskStore; readonly file: string }> {
  const file = newFile();
  const store = sqlite(file, options);
  await store.commit([creation('a')]);
  Object.assign(disk, { asked: 0, done: 0 });
  return { store, file };
}

async function seqOf(store: TaskStore, id = 'a'): Promise<number | undefined> {
  return (await store.load(refOf(id)))?.seq;
}

describe('D7: what an acknowledgement guarantees', () => {
  test('D7: a durable commit is answered when it is on disk; a chunk does not wait for the disk', async () => {
    const { store } = await withTask();
    await store.commit([chunk('a', 2)]);
    expect(disk.asked).toBe(0);
    await store.commit([chunk('a', 3, { durable: true })]);
    expect([disk.asked, disk.done]).toEqual([1, 1]);
    await store.commit([chunk('a', 4), creation('b', { durable: true })]);
    expect([disk.asked, disk.done]).toEqual([2, 2]);
    await store.close();
  });

  test('D7: a posted message and the reply to a request are on disk before the answer', async () => {
    const { store } = await withTask();
    expect(await store.post(refOf('a'), 'message', '{}')).toBe(1);
    expect(disk.done).toBe(1);
    const key = { agent: '', tenant: '', owner: '', key: 'key' };
    await store.beginRequest(key, 'hash', 'node');
    expect(disk.asked).toBe(1);
    await store.endRequest(key, '{}');
    expect(disk.done).toBe(2);
    await store.close();
  });

  test('D7: a refused write needs no sync', async () => {
    const { store } = await withTask();
    const answers = await store.commit([chunk('a', 9, { durable: true }), chunk('a', 2, { epoch: 7, durable: true })]);
    expect(answers.map(({ kind }) => kind)).toEqual(['failed', 'fenced']);
    expect(await store.post(refOf('unknown'), 'message', '{}')).toBe('missing');
    expect(disk.asked).toBe(0);
    await store.close();
  });

  test('D7: with durability power every commit waits for the disk', async () => {
    const { store } = await withTask({ durability: 'power' });
    for (const seq of [2, 3, 4]) {
      await store.commit([chunk('a', seq)]);
      expect(disk.done).toBe(seq - 1);
    }
    await store.close();
  });

  test('D7: commits made while the disk is busy share its next sync, and the event loop continues', async () => {
    const { store } = await withTask();
    disk.held = [];
    const answered: number[] = [];
    const commits = [2, 3, 4, 5].map(async (seq) => {
      await store.commit([chunk('a', seq, { durable: true })]);
      answered.push(seq);
    });
    await vi.waitFor(() => expect(disk.asked).toBe(1));
    // Committed and readable, while the answers still wait.
    expect(await seqOf(store)).toBe(5);
    const late = store.commit([chunk('a', 6, { durable: true })]);
    await store.commit([chunk('a', 7)]);
    expect(answered).toEqual([]);
    const [first] = disk.held.splice(0);
    disk.held = undefined;
    first?.();
    await Promise.all([...commits, late]);
    expect([disk.asked, answered.length]).toEqual([2, 4]);
    await store.close();
  });

  test('D7: a power cut keeps everything that a sync covered, and at most a prefix of the rest', async () => {
    const { store, file } = await withTask();
    let kept = newFile();
    // The files that are on disk for certain: as of the last completed sync.
    disk.onKept = () => {
      kept = newFile();
      for (const suffix of ['', '-wal']) copyFileSync(file + suffix, kept + suffix);
    };
    for (let seq = 2; seq < 40; seq += 1) await store.commit([chunk('a', seq, seq === 30 ? { durable: true } : {})]);
    await store.post(refOf('a'), 'message', '{}');
    await store.commit([chunk('a', 40), chunk('a', 41)]);
    disk.onKept = () => {};
    await store.close();

    const after = sqlite(kept);
    expect(await seqOf(after)).toBe(39);
    expect(await after.inbox(refOf('a'), 0)).toHaveLength(1);
    await after.close();
  });

  test('D7, D12: after a disk failure the outcome is unknown: the commit rejects, and entryAt returns what is stored', async () => {
    const { store } = await withTask();
    disk.error = Object.assign(new Error('i/o error'), { code: 'EIO' });
    await expect(store.commit([chunk('a', 2, { durable: true })])).rejects.toMatchObject({
      reason: 'AGENT_UNAVAILABLE',
      cause: disk.error,
    });
    expect(await store.entryAt(refOf('a'), 2)).toEqual({ epoch: 1, json: '{"n":2}' });
    disk.error = null;
    expect(await store.commit([chunk('a', 3, { durable: true })])).toEqual([{ kind: 'ok', refused: [] }]);
    await store.close();
  });
});
