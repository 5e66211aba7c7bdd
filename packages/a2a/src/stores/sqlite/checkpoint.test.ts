import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, describe, expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { systemClock } from '../../platform/system-clock.js';
import type { TaskStore, TaskWrite } from '../store.js';
import { createStore } from './create-store.js';
import { Gate } from './gate.js';
import { openFile } from './open.js';

/** Simulates a driver whose second connection cannot be opened, or fails. */
const driver = { refuses: false, fails: false };

const require = createRequire(import.meta.url);
const Real: typeof import('libsql/promise') = require('libsql/promise');
class Promised extends Real {
  constructor(path: string, options: unknown) {
    if (driver.refuses) throw new Error('no second connection');
    super(path, options);
  }
  override exec(sql: string) {
    return driver.fails ? Promise.reject(new Error('disk error')) : super.exec(sql);
  }
}
// The store loads the driver when it opens a file, and gets this one.
const loaded = require.cache[require.resolve('libsql/promise')];
if (loaded !== undefined) loaded.exports = Promised;

afterEach(() => {
  driver.refuses = false;
  driver.fails = false;
});

const newFile = tempFiles();
const SETTINGS = { durability: 'process', lingerMs: 0, replayHours: 1, clock: systemClock, checkpointPages: 50 } as const;
const PAGE = 4_096;

const ref = { agent: '', tenant: '', owner: '', id: 'a' };
const creation: TaskWrite = {
  ref,
  epoch: 1,
  firstSeq: 1,
  entries: [{ seq: 1, kind: 'task', at: 1, json: '{"task":{}}', generation: 1 }],
  create: { node: 'node' },
  head: { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: 1, statusSeq: 1 },
  snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
};

const chunk = (seq: number): TaskWrite => ({
  ref,
  epoch: 1,
  firstSeq: seq,
  entries: [{ seq, kind: 'artifact', at: seq, json: `"${seq} ${'x'.repeat(3_000)}"`, generation: seq }],
});

/** Commits one chunk after another, and yields to the event loop now and then, as a server does. */
async function stream(store: TaskStore, to: number): Promise<void> {
  await store.commit([creation]);
  for (let seq = 2; seq <= to; seq += 1) {
    expect(await store.commit([chunk(seq)])).toEqual([{ kind: 'ok', refused: [] }]);
    if (seq % 5 === 0) await nextTurn();
  }
}

async function expectAll(store: TaskStore, to: number): Promise<void> {
  const entries = await store.readAfter(ref, 0, Number.MAX_SAFE_INTEGER);
  expect(Array.isArray(entries) && entries.map(({ seq }) => seq)).toEqual(Array.from({ length: to }, (_, index) => index + 1));
}

describe('D7: checkpoints do not block the event loop', () => {
  test('D7: the write-ahead log restarts during commits, however many there are, and nothing is lost', async () => {
    const path = newFile();
    const store = createStore(openFile(path), SETTINGS);
    await stream(store, 1_000);
    // Without a checkpoint it would have grown to three pages per commit.
    expect(statSync(`${path}-wal`).size).toBeLessThan(600 * PAGE);
    expect(statSync(path).size).toBeGreaterThan(500 * PAGE);
    await expectAll(store, 1_000);
    await store.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  test('D7: commits that never yield to the event loop are held back in time, and keep their order', async () => {
    const path = newFile();
    const store = createStore(openFile(path), SETTINGS);
    const answers = [store.commit([creation])];
    for (let seq = 2; seq <= 600; seq += 1) answers.push(store.commit([chunk(seq)]));
    expect((await Promise.all(answers)).every(([answer]) => answer?.kind === 'ok')).toBe(true);
    await expectAll(store, 600);
    await store.close();
  });

  test('D7: without a second connection SQLite checkpoints by itself', async () => {
    driver.refuses = true;
    const path = newFile();
    const store = createStore(openFile(path), SETTINGS);
    await stream(store, 300);
    expect(statSync(`${path}-wal`).size).toBeLessThan(300 * PAGE);
    await expectAll(store, 300);
    await store.close();
  });

  test('D7: when a checkpoint fails the log grows and the store continues; a later checkpoint succeeds', async () => {
    driver.fails = true;
    const path = newFile();
    const store = createStore(openFile(path), SETTINGS);
    await stream(store, 300);
    await expectAll(store, 300);
    await store.close();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(300 * PAGE);
    driver.fails = false;
    const again = createStore(openFile(path), SETTINGS);
    await expectAll(again, 300);
    await again.close();
    expect(new Database(path).prepare('SELECT sum(count) FROM events').raw(true).get([])).toEqual([300]);
  });
});

describe('D12: the gate', () => {
  test('D12: while it is shut writes wait; then they run in order, before later writes', async () => {
    const gate = new Gate();
    const done: string[] = [];
    const pass = (name: string): Promise<number> => gate.pass(() => done.push(name));
    await pass('a');
    gate.shut();
    const waiting = [pass('b'), pass('c')];
    await nextTurn();
    expect(done).toEqual(['a']);
    gate.open();
    const late = pass('d');
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    expect(await Promise.all([...waiting, late])).toEqual([2, 3, 4]);
  });

  test('D12: a waiting write that fails rejects, and the next one runs', async () => {
    const gate = new Gate();
    gate.shut();
    const failing = gate.pass(() => {
      throw new Error('no');
    });
    const next = gate.pass(() => 1);
    gate.open();
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe(1);
  });
});
