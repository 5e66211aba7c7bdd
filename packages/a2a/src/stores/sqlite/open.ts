/** From a path to a database that is ours: folder, lock, settings, schema. Whatever is wrong is said here, at the start. */
import { closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import { Connection, loadDriver } from './connection.js';
import { isWrongFile, toWords } from './failure.js';
import { endAllLeases } from './lease.js';
import { type FileLock, lockFile } from './lock.js';
import { migrate, versionOf } from './schema.js';

export interface OpenFile {
  /** Where SQLite itself says that the file is. */
  readonly path: string;
  readonly db: Connection;
  readonly lock: FileLock;
}

const SETTINGS = `
  PRAGMA busy_timeout = 500;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 0;
  PRAGMA cache_size = -16384;
  PRAGMA foreign_keys = OFF;
`;

export function openFile(file: string): OpenFile {
  checkName(file);
  loadDriver(); // before a file or a lock is made that nothing would use
  try {
    return open(preparePath(file));
  } catch (error) {
    throw toStartError(file, error);
  }
}

export function closeFile({ db, lock }: OpenFile): void {
  db.close();
  lock.release();
}

function open(path: string): OpenFile {
  const lock = lockFile(path);
  try {
    const db = new Connection(path);
    try {
      versionOf(db);
      configure(db);
      migrate(db);
      endAllLeases(db);
      return { path: String(db.ask("SELECT file FROM pragma_database_list WHERE name = 'main'")), db, lock };
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

function configure(db: Connection): void {
  db.exec(SETTINGS);
  const mode = db.ask('PRAGMA journal_mode = WAL');
  if (mode !== 'wal') throw new A2AError('INVALID_PARAMS', 'it lies on a file system that can not share memory between connections');
}

/** The driver takes some names for something else than a file. */
function checkName(file: string): void {
  const isName = typeof file === 'string' && file !== '' && file !== ':memory:' && !file.includes('\0') && !/^[a-z][\w+.-]+:/i.test(file);
  if (isName) return;
  throw new A2AError(
    'INVALID_PARAMS',
    `sqlite() needs the path of a file, got ${JSON.stringify(file)}; for tasks in memory use memoryStore()`,
  );
}

/** Links are resolved, so that one file has one lock. A file that exists is never opened here: closing it would give up SQLite's own locks. */
function preparePath(file: string): string {
  const path = resolve(file);
  mkdirSync(dirname(path), { recursive: true });
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return createFile(join(realpathSync(dirname(path)), basename(path)));
  if (!found.isFile()) throw new A2AError('INVALID_PARAMS', found.isDirectory() ? 'it is a directory' : 'it is not a file');
  return realpathSync(path);
}

/** What people say to an agent is nobody else's business; the files that SQLite puts beside it get the same rights. */
function createFile(path: string): string {
  closeSync(openSync(path, 'a', 0o600));
  return path;
}

/** A wrong file is for the caller to mend; a failing disk, or somebody who holds the file, is not. */
function toStartError(file: string, thrown: unknown): A2AError {
  if (isA2AError(thrown) && thrown.reason === 'AGENT_UNAVAILABLE') return thrown;
  const words = isA2AError(thrown) ? thrown.message : toWords(thrown);
  const reason = isA2AError(thrown) || isWrongFile(thrown) ? 'INVALID_PARAMS' : 'AGENT_UNAVAILABLE';
  return new A2AError(reason, `${file} can not hold the tasks: ${words}`, { cause: thrown });
}
