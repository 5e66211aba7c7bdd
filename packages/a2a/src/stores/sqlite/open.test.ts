import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { type A2AError, isA2AError } from '../../protocol/errors.js';
import { Connection } from './connection.js';
import { sqlite } from './index.js';
import { migrate } from './schema.js';

const newFile = tempFiles();

function errorOf(open: () => unknown): A2AError {
  try {
    open();
  } catch (error) {
    if (isA2AError(error)) return error;
    throw error;
  }
  throw new Error('Expected an error, but the file was opened');
}

function expectWrongFile(file: string, words: RegExp): void {
  const error = errorOf(() => sqlite(file));
  expect(error.reason).toBe('INVALID_PARAMS');
  expect(error.message).toMatch(words);
  expect(error.message).toContain(file);
}

/** Runs as a user without rights to the files of this test. */
function asNobody(file: string, run: () => void): void {
  const isRoot = process.geteuid?.() === 0;
  chmodSync(dirname(file), 0o755);
  if (isRoot) process.seteuid?.(65_534);
  try {
    run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe('D12: an unusable file is refused at startup, with a reason', () => {
  test('D12: missing folders are created', async () => {
    const file = join(dirname(newFile()), 'not', 'there', 'yet', 'agent.db');
    await sqlite(file).close();
    expect(existsSync(file)).toBe(true);
  });

  test('only the owner can read a new file and the files that SQLite creates beside it', async () => {
    const file = newFile();
    const store = sqlite(file);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o077, name).toBe(0);
    await store.close();
  });

  test('D12: names that the driver would not treat as a file are refused', () => {
    for (const name of ['', ':memory:', 'file:agent.db', 'libsql://example.org', 'https://example.org/agent.db', 'a\0b']) {
      const error = errorOf(() => sqlite(name));
      expect([error.reason, error.message]).toEqual(['INVALID_PARAMS', expect.stringContaining('path of a file')]);
    }
  });

  test('D12: invalid options are refused', () => {
    const wrong = [{ lingerMs: -1 }, { lingerMs: Number.NaN }, { replayHours: 0 }, { replayHours: Number.POSITIVE_INFINITY }];
    for (const options of wrong) expect(errorOf(() => sqlite(newFile(), options)).reason).toBe('INVALID_PARAMS');
    // @ts-expect-error: the wrong word
    expect(errorOf(() => sqlite(newFile(), { durability: 'disk' })).message).toContain('disk');
  });

  test('D12: a directory, and a path below a file, are refused', () => {
    const file = newFile();
    mkdirSync(file);
    expectWrongFile(file, /is a directory/);
    const plain = newFile();
    writeFileSync(plain, '');
    expectWrongFile(join(plain, 'agent.db'), /EEXIST|ENOTDIR/);
  });

  test('D12: a file that is not a database is left unchanged', () => {
    const file = newFile();
    writeFileSync(file, 'Dear diary, '.repeat(1_000));
    expectWrongFile(file, /not a SQLite database/);
    expect(readFileSync(file, 'utf8')).toBe('Dear diary, '.repeat(1_000));
  });

  test('D12: the database of another program is left unchanged', () => {
    const file = newFile();
    const other = new Database(file);
    other.exec("CREATE TABLE schema_version (version TEXT); INSERT INTO schema_version VALUES ('7')");
    other.close();
    const before = readFileSync(file);
    expectWrongFile(file, /another program/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('D12: the error for a damaged lock file names it', () => {
    const file = newFile();
    writeFileSync(`${file}-lock`, 'Dear diary, '.repeat(1_000));
    expectWrongFile(file, /-lock is damaged: delete it/);
  });

  test('D12: an empty file is treated as a new one', async () => {
    const file = newFile();
    writeFileSync(file, '');
    await sqlite(file).close();
    await sqlite(file).close();
  });

  test.runIf(process.geteuid)('D12: a file or folder without write permission is refused', async () => {
    const file = join(dirname(newFile()), 'readable', 'agent.db');
    await sqlite(file).close();
    chmodSync(dirname(dirname(file)), 0o755);
    chmodSync(file, 0o444);
    asNobody(file, () => expectWrongFile(file, /cannot be (opened|written)/));
    chmodSync(dirname(file), 0o777);
    chmodSync(`${file}-lock`, 0o666);
    asNobody(file, () => expectWrongFile(file, /cannot be written/));
    asNobody(file, () => expectWrongFile(join(dirname(dirname(file)), 'forbidden', 'agent.db'), /EACCES/));
    chmodSync(file, 0o644);
    await sqlite(file).close();
  });

  test('D12: a link to a file that does not exist yet is followed, and a link to itself is refused', async () => {
    const [link, target, circle] = [newFile(), newFile(), newFile()];
    symlinkSync(target, link);
    const store = sqlite(link, { durability: 'power' });
    expect(await store.beat('node', 'a', 1)).toBe('ok');
    await store.close();
    expect(existsSync(target)).toBe(true);
    symlinkSync(circle, circle);
    expectWrongFile(circle, /ELOOP/);
  });

  test('D12: a damaged file is reported and left unchanged', async () => {
    const file = newFile();
    await sqlite(file).close();
    const bytes = readFileSync(file);
    bytes.fill(0, 100, 4_096);
    writeFileSync(file, bytes);
    const error = errorOf(() => sqlite(file));
    expect([error.reason, error.message]).toEqual(['AGENT_UNAVAILABLE', expect.stringMatching(/damaged/)]);
    expect(error.cause).toBeInstanceOf(Error);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe('D12: the schema has a version number', () => {
  test('D12: a file of a newer version is refused and left unchanged', async () => {
    const file = newFile();
    await sqlite(file).close();
    const newer = new Database(file);
    newer.exec('UPDATE schema_version SET version = 1000');
    newer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expectWrongFile(file, /schema 1000 .*newer version/);
    expect(newer.prepare('SELECT version FROM schema_version').raw(true).get([])).toEqual([1_000]);
  });

  test('D12: a failed migration leaves the file empty, and the next start repeats it', async () => {
    const file = newFile();
    // Space for only some of the tables.
    const small = new Database(file);
    small.exec('PRAGMA journal_mode = WAL');
    const connection = new Connection(file);
    connection.exec('PRAGMA max_page_count = 6');
    expect(() => migrate(connection)).toThrow('full');
    expect(small.prepare('SELECT count(*) FROM sqlite_schema').raw(true).get([])).toEqual([0]);
    connection.close();
    const store = sqlite(file);
    expect(await store.beat('node', 'a', 1)).toBe('ok');
    await store.close();
  });
});
