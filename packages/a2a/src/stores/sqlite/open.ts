/** Opens a path as a database of ours: folder, lock, settings, schema. Every problem is reported here, at startup. */
import { closeSync, mkdirSync, openSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import { Connection, loadDriver } from './connection.js';
import { isOutOfSpace, isWrongFile, mayBeOutOfSpace, toWords } from './failure.js';
import { endAllLeases } from './lease.js';
import { type FileLock, lockFile } from './lock.js';
import { migrate, versionOf } from './schema.js';

export interface OpenFile {
  /** The path of the file according to SQLite. */
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
  loadDriver(); // before it creates a file or a lock that nothing would use
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
      endLeases(db);
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

/** On a full disk, the leases stay and expire by themselves, so that tasks can be read until there is space. */
function endLeases(db: Connection): void {
  try {
    endAllLeases(db);
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}

function configure(db: Connection): void {
  db.exec(SETTINGS);
  const mode = db.ask('PRAGMA journal_mode = WAL');
  if (mode !== 'wal')
    throw new A2AError('INVALID_PARAMS', 'it is on a file system that does not support shared memory (needed for WAL mode)');
}

/** The driver interprets some names as something other than a file. */
function checkName(file: string): void {
  const isName = typeof file === 'string' && file !== '' && file !== ':memory:' && !file.includes('\0') && !/^[a-z][\w+.-]+:/i.test(file);
  if (isName) return;
  throw new A2AError(
    'INVALID_PARAMS',
    `sqlite() needs the path of a file, got ${JSON.stringify(file)}. To keep tasks in memory use memoryStore()`,
  );
}

/** Resolves links, so that one file has one lock. Never opens an existing file: closing it would release the locks of SQLite. */
function preparePath(file: string): string {
  const path = resolve(file);
  mkdirSync(dirname(path), { recursive: true });
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return createFile(join(realpathSync(dirname(path)), basename(path)));
  if (!found.isFile()) throw new A2AError('INVALID_PARAMS', found.isDirectory() ? 'it is a directory' : 'it is not a file');
  return realpathSync(path);
}

/** Only the owner may read what users say to an agent. The files that SQLite creates beside it get the same permissions. */
function createFile(path: string): string {
  closeSync(openSync(path, 'a', 0o600));
  return path;
}

/** A wrong file is an error of the caller (INVALID_PARAMS). A failing disk or a held file is not. */
function toStartError(file: string, thrown: unknown): A2AError {
  if (isA2AError(thrown) && thrown.reason === 'AGENT_UNAVAILABLE') return thrown;
  if (isOutOfSpace(thrown) || (mayBeOutOfSpace(thrown) && hasNoSpace(file))) return noSpace(file, thrown);
  const words = isA2AError(thrown) ? thrown.message : toWords(thrown);
  const reason = isA2AError(thrown) || isWrongFile(thrown) ? 'INVALID_PARAMS' : 'AGENT_UNAVAILABLE';
  return new A2AError(reason, `${file} cannot hold the tasks: ${words}`, { cause: thrown });
}

/** SQLite needs this much to open a file: its index of the WAL, and a few pages. */
const SPACE_TO_OPEN = 256 * 1024;

function hasNoSpace(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(file)));
    return bavail * bsize < SPACE_TO_OPEN;
  } catch {
    return false;
  }
}

function noSpace(file: string, cause: unknown): A2AError {
  const text = `${file} cannot hold the tasks: its disk is full. Nothing is lost: free some space, then start again`;
  return new A2AError('AGENT_UNAVAILABLE', text, { cause });
}
