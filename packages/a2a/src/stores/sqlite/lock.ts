/**
 * Allows one process per file. A second file serves only for a lock of the operating system. The lock ends with its process, however that
 * ends, so there are no stale locks and no process ids to trust. The holder's name is a row in that file and can be read while the lock is
 * held. Read it only through SQLite: closing any other handle of the file would release the lock.
 */
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { A2AError } from '../../protocol/errors.js';
import { Connection } from './connection.js';
import { isBusy, isDamaged } from './failure.js';

export interface FileLock {
  release(): void;
}

/** Throws an error that names the holder when the file is in use, by another process or by another store of this one. */
export function lockFile(file: string): FileLock {
  const db = new Connection(`${file}-lock`);
  try {
    db.transaction(() => {
      db.exec(
        'CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, host TEXT NOT NULL, since TEXT NOT NULL) STRICT; DELETE FROM holder',
      );
      db.command('INSERT INTO holder VALUES (?, ?, ?)')([pid, hostname(), new Date().toISOString()]);
    });
    // The lock is held from here on. Readers are allowed, and nothing is written.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const reason = toRefusal(db, file, error);
    db.close();
    throw reason;
  }
  return {
    release() {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

function toRefusal(db: Connection, file: string, thrown: unknown): unknown {
  if (isDamaged(thrown)) return new A2AError('INVALID_PARAMS', `${file}-lock is damaged: delete it when no process uses the file`);
  if (!isBusy(thrown)) return thrown;
  const [holder, host, since] = holderOf(db);
  const here = holder === pid && host === hostname();
  const who = holder === undefined ? 'another process' : `process ${holder} on ${host}${here ? ' (this process)' : ''}, since ${since}`;
  const remedy = here ? 'use one store for all agents, or close the first one' : 'stop that process, or use PostgreSQL';
  return new A2AError('AGENT_UNAVAILABLE', `${file} can be used by one process at a time and is held by ${who}; ${remedy}`);
}

/** Empty while the holder is just writing its name. */
function holderOf(db: Connection): readonly [] | readonly [number, string, string] {
  try {
    db.exec('PRAGMA busy_timeout = 200');
    return db.query<readonly [number, string, string]>('SELECT pid, host, since FROM holder').one([]) ?? [];
  } catch {
    return [];
  }
}
