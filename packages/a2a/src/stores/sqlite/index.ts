/** `@parley/a2a/sqlite`: a task store in a SQLite file, for one process; acknowledged commits survive `kill -9`. Needs `libsql`. */
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { checkGathering } from '../sql/gathering.js';
import { createStore, type SqliteStore, type StoreSettings } from './create-store.js';
import { openFile } from './open.js';

export type { TaskStore } from '../store.js';
export type { SqliteStore } from './create-store.js';

/** Options of `sqlite`: what a commit survives, and how long events are kept. */
export interface SqliteOptions {
  /**
   * What an acknowledged commit survives.
   *
   * `'process'` (default): every commit survives the end of the process, including `kill -9`. After a power cut or a crash of the operating
   * system, a caller's accepted message and the end of a task are kept too, with everything committed before them: these are on disk before
   * they are answered. Chunks and states committed since then may be lost.
   *
   * `'power'`: every commit is on disk before it is answered. A commit then costs one disk sync, which concurrent commits share.
   *
   * In both modes, a task may be read between its commit and the sync. Neither mode survives a disk that loses data after it confirmed the
   * sync.
   */
  readonly durability?: 'process' | 'power';
  /** How long events of all tasks are gathered into one commit, in milliseconds. The first event after a pause does not wait. Default 2. */
  readonly lingerMs?: number;
  /** How long the log of an ended task can be replayed, in hours. Default 24. */
  readonly replayHours?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Creates a store that keeps tasks in `file`. The file and its folder are created if they do not exist. Only one process can use the file:
 * a second one is refused with an error that names the holder. Throws at once when the file cannot be used.
 *
 * SQLite creates other files with the same name: `-wal` and `-shm` are part of the database, mainly while it is in use, and `-lock` records
 * which process uses it. While the store is open, a second lock file in the folder for temporary files protects the file under all its names.
 *
 * @example
 * ```ts
 * import { createAgent } from '@parley/a2a/server';
 * import { sqlite } from '@parley/a2a/sqlite';
 *
 * export const agent = createAgent({
 *   name: 'Echo',
 *   store: sqlite('data/tasks.db'),
 *   recovery: 'restart',
 *   execute: async (context) => context.text,
 * });
 * ```
 */
export function sqlite(file: string, options: SqliteOptions = {}): SqliteStore {
  const settings = resolveOptions(options);
  return createStore(openFile(file), settings);
}

function resolveOptions(options: SqliteOptions): StoreSettings {
  const { durability = 'process', lingerMs = 2, replayHours = 24, clock = systemClock } = options;
  if (durability !== 'process' && durability !== 'power') {
    throw new A2AError('INVALID_PARAMS', `durability must be 'process' or 'power', got ${String(durability)}`);
  }
  checkGathering({ lingerMs, replayHours });
  return { durability, lingerMs, replayHours, clock };
}
