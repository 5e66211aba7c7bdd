import { writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'libsql';
import { beforeAll, describe, expect, test } from 'vitest';
import { sqlite } from '../src/stores/sqlite/index.js';
import { manualClock } from '../src/testing/index.js';
import { bundleScript, startChild } from './child.js';
import { expectNumbered, expectRecovered, expectServed, expectUpgraded, longLog, NOW, sqliteFixture } from './earlier-stores/upgraded.js';
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
