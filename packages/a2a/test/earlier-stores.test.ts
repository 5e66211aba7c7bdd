import { writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'libsql';
import { beforeAll, describe, expect, test } from 'vitest';
import { sqlite } from '../src/stores/sqlite/index.js';
import { manualClock } from '../src/testing/index.js';
import { bundleScript, startChild } from './child.js';
import { expectNumbered, expectRecovered, expectServed, expectUpgraded, longLog, NOW, sqliteFixture } from './earlier-stores/upgraded.js';
import { refOf } from './looking.js';
import { tempFiles, tempFolder } from './temp-folder.js';

const newFile = tempFiles();
const folder = tempFolder();

function earlierFile(): string {
  const file = newFile();
  writeFileSync(file, sqliteFixture());
  return file;
}

const open = (file: string) => sqlite(file, { clock: manualClock(NOW), lingerMs: 0 });

/** The same file with a long log. */
function earlierFileWithLongLog(rows: number): string {
  const file = earlierFile();
  const db = new Database(file);
  db.exec(`
    WITH RECURSIVE n(seq) AS (SELECT 5 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${4 + rows})
    INSERT INTO events (task, first_seq, count, epoch, text)
    SELECT (SELECT pk FROM tasks WHERE id = 'running'), seq, 1, 1, ${longLog.sql('seq', `${NOW} + seq`)} FROM n`);
  db.close();
  return file;
}

function rowOf(file: string, sql: string): readonly unknown[] | undefined {
  const db = new Database(file);
  try {
    return db.prepare(sql).raw(true).get([]) as unknown[] | undefined;
  } finally {
    db.close();
  }
}

describe('D46, D56: a SQLite file of an earlier version', () => {
  test('D46: its logs have generations and times, and all other data is unchanged', async () => {
    const file = earlierFile();
    const store = open(file);
    await expectUpgraded(store);
    await store.close();
    expect(rowOf(file, 'SELECT version FROM schema_version')).toEqual([4]);
    expect(rowOf(file, "SELECT count(*) FROM sqlite_schema WHERE name IN ('numbering', 'spreading')")).toEqual([0]);
    const again = open(file);
    await expectUpgraded(again);
    await again.close();
  });

  test.each(['fail', 'restart'] as const)('D46: the task of a dead node follows the recovery policy: %s', async (recovery) => {
    const store = open(earlierFile());
    await expectRecovered(store, recovery);
    await store.close();
  });

  test('D46: the finished task is unchanged, and the parked one continues with its recorded reply', async () => {
    const store = open(earlierFile());
    await expectServed(store);
    await store.close();
  });

  test('D56: its tasks belong to the agent without a name', async () => {
    const store = open(earlierFile());
    const query = { tenant: '', owner: '', limit: 9, count: true };
    expect((await store.list({ ...query, agent: 'another' })).total).toBe(0);
    expect((await store.list({ ...query, agent: '' })).total).toBe(4);
    expect(await store.orphans('another', 9)).toEqual([]);
    await store.close();
  });
});

describe('F72: long texts of an earlier version', () => {
  const long = (id: string): string => JSON.stringify({ messageId: id, role: 'ROLE_USER', parts: [{ text: 'x'.repeat(5_000) }] });
  const history = [long('1'), long('2'), long('3')];
  const artifact = (id: string): string => JSON.stringify({ artifactId: id, parts: [{ text: 'y'.repeat(3_000) }] });

  /** The file of the earlier version, in which every task has long texts. */
  function earlierFileWithLongTexts(): string {
    const file = earlierFile();
    const db = new Database(file);
    db.prepare('UPDATE tasks SET history = ?, artifacts = ?').run([history.join('\n'), [artifact('a'), artifact('b')].join('\n')]);
    db.close();
    return file;
  }

  test('F72: those of tasks that have not ended get rows of their own, and every task reads as before', async () => {
    const file = earlierFileWithLongTexts();
    for (const _ of ['the upgrade', 'the next start']) {
      const store = open(file);
      for (const id of ['finished', 'compacted', 'running', 'parked']) {
        const { snapshot } = (await store.load(refOf(id))) ?? {};
        expect(snapshot?.text).toMatchObject({ history: history.join('\n'), artifacts: `${artifact('a')}\n${artifact('b')}` });
        expect(snapshot).toMatchObject({ messages: 3, historyBytes: expect.any(Number) });
        expect(await store.messages(refOf(id), 1, 2)).toBe(history[1]);
        expect((await store.load(refOf(id), 1))?.snapshot.text.history).toBe(history[2]);
      }
      await store.close();
      expect(rowOf(file, "SELECT count(*) FROM tasks WHERE history <> '' AND ended = 0")).toEqual([0]);
      expect(rowOf(file, 'SELECT count(*) FROM task_messages')).toEqual([2]);
      expect(rowOf(file, 'SELECT count(*) FROM task_artifacts')).toEqual([4]);
    }
  });

  test('F72: a process that stops between two tasks leaves the rest to the next process', async () => {
    const file = earlierFileWithLongTexts();
    const db = new Database(file);
    // The second task cannot be moved, so the upgrade stops there.
    db.exec("CREATE TRIGGER stop BEFORE UPDATE OF history ON tasks WHEN OLD.id = 'parked' BEGIN SELECT raise(ABORT, 'stopped'); END");
    db.close();
    expect(() => open(file)).toThrow();
    expect(rowOf(file, 'SELECT count(*) FROM task_messages')).toEqual([1]);
    expect(rowOf(file, "SELECT history <> '' FROM tasks WHERE id = 'parked'")).toEqual([1]);
    const again = new Database(file);
    again.exec('DROP TRIGGER stop');
    again.close();
    const store = open(file);
    expect(rowOf(file, 'SELECT count(*) FROM task_messages')).toEqual([2]);
    expect((await store.load(refOf('parked')))?.snapshot.text.history).toBe(history.join('\n'));
    await store.close();
  });

  test('F72: a short history of an earlier version is continued', async () => {
    const store = open(earlierFile());
    await expectServed(store);
    const { snapshot } = (await store.load(refOf('parked'))) ?? {};
    expect(snapshot?.text.history.split('\n')).toHaveLength(snapshot?.messages ?? 0);
    await store.close();
  });
});

describe('D46: an interrupted upgrade', () => {
  let script: string;
  beforeAll(async () => {
    script = await bundleScript(new URL('sqlite-child.ts', import.meta.url), folder);
  }, 30_000);

  test('D46: a process that is killed between batches leaves the rest to the next process, and each row is numbered once', {
    timeout: 60_000,
  }, async () => {
    for (const rows of longLog.lengths) {
      const file = earlierFileWithLongLog(rows);
      if (!(await isKilledTwice(file))) continue;
      const store = open(file);
      await expectNumbered(store, rows);
      return store.close();
    }
    expect.fail('no process could be killed before it had numbered the log');
  });

  /** False if a process finished before it could be killed. */
  async function isKilledTwice(file: string): Promise<boolean> {
    let from = 0;
    for (const _ of [1, 2]) {
      const child = startChild(script, 'hold', file);
      while (placeOf(file) <= from && child.lines.length === 0) await nextTurn();
      await child.kill();
      if (child.lines.length > 0) return false;
      from = placeOf(file);
    }
    return true;
  }
});

/** The last numbered seq of the long log. */
function placeOf(file: string): number {
  const db = new Database(file);
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'numbering'").raw(true).get([]);
    const row =
      isThere && db.prepare("SELECT first_seq FROM numbering WHERE task = (SELECT pk FROM tasks WHERE id = 'running')").raw(true).get([]);
    return Array.isArray(row) ? Number(row[0]) : 0;
  } finally {
    db.close();
  }
}
