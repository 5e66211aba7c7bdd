/**
 * Allows one process per file. Two other files serve only for locks of the operating system: one beside the database, and one that is named
 * after its device and inode. The second one also finds a process that uses the database by a hard link, or whose lock file was deleted. A
 * lock ends with its process, however that ends, so there are no stale locks and no process ids to trust. The holder's name is a row in each
 * lock file and can be read while the lock is held. Read it only through SQLite: closing any other handle of the file would release the
 * lock.
 */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid, pid } from 'node:process';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import { Connection } from './connection.js';
import { isBusy, isDamaged, isOutOfSpace } from './failure.js';

const TRIES = 10;

export interface FileLock {
  release(): void;
}

/** Throws an error that names the holder when the file is in use, by another process or by another store of this one. */
export function lockFile(file: string): FileLock {
  const named = lock(`${file}-lock`, file);
  try {
    const byInode = lockInode(file);
    return {
      release() {
        byInode?.release();
        named.release();
      },
    };
  } catch (error) {
    named.release();
    throw error;
  }
}

/** Undefined when the folder for temporary files cannot be used: then only the lock beside the file protects it. */
function lockInode(file: string): FileLock | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return lockTemporary(join(privateFolder(), `${dev}-${ino}`), file);
  } catch (error) {
    if (isA2AError(error) && error.reason === 'AGENT_UNAVAILABLE') throw error;
    return undefined;
  }
}

/** The lock file is deleted at the end, so that the folder does not fill. */
function lockTemporary(path: string, file: string): FileLock | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { inode, release } = lock(path, file, 'PRAGMA synchronous = OFF'); // it does not outlive a power cut
    // If the last holder deleted the file after we opened it, our lock is on a file without a name: try again.
    if (statSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== inode) release();
    else {
      return {
        release() {
          rmSync(path, { force: true });
          release();
        },
      };
    }
  }
  return undefined;
}

/** Throws if another user has created it: that user could delete our locks. */
function privateFolder(): string {
  const uid = getuid?.() ?? 0;
  const folder = join(tmpdir(), `parley-locks-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid) throw new Error(`${folder} belongs to another user`);
  return folder;
}

function lock(path: string, file: string, settings = ''): FileLock & { readonly inode: bigint | undefined } {
  createPrivate(path);
  const inode = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  const db = new Connection(path);
  try {
    db.exec(settings);
    nameHolder(db);
    // The lock is held from here on. Readers are allowed, and nothing is written.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const reason = toRefusal(db, path, { file, error });
    db.close();
    throw reason;
  }
  return {
    inode,
    release() {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

/** Created with `wx`, because an existing lock file must not be opened and closed. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (isOutOfSpace(error)) throw error;
    makePrivate(path); // earlier versions created it with the rights of the process
  }
}

/** Not possible if it belongs to another user. SQLite then finds out whether it can be used. */
function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {}
}

/** A lock needs no space, but a name does: without space, the process holds the lock without its name. */
function nameHolder(db: Connection): void {
  try {
    db.transaction(() => {
      db.exec(
        'CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, host TEXT NOT NULL, since TEXT NOT NULL) STRICT; DELETE FROM holder',
      );
      db.command('INSERT INTO holder VALUES (?, ?, ?)')([pid, hostname(), new Date().toISOString()]);
    });
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}

function toRefusal(db: Connection, path: string, { file, error }: { readonly file: string; readonly error: unknown }): unknown {
  if (isDamaged(error)) return new A2AError('INVALID_PARAMS', `${path} is damaged: delete it when no process uses the file`);
  if (!isBusy(error)) return error;
  const [holder, host, since] = holderOf(db);
  const here = holder === pid && host === hostname();
  const who = holder === undefined ? 'another process' : `process ${holder} on ${host}${here ? ' (this process)' : ''}, since ${since}`;
  const remedy = here ? 'use one store for all agents, or close the first one' : 'stop that process, or use PostgreSQL';
  return new A2AError('AGENT_UNAVAILABLE', `${file} can be used by one process at a time and is held by ${who}; ${remedy}`);
}

/** Empty while the holder is just writing its name, or when it had no space to write it. */
function holderOf(db: Connection): readonly [] | readonly [number, string, string] {
  try {
    db.exec('PRAGMA busy_timeout = 200');
    return db.query<readonly [number, string, string]>('SELECT pid, host, since FROM holder').one([]) ?? [];
  } catch {
    return [];
  }
}
