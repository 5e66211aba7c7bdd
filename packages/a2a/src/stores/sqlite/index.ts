/** `@parley/a2a/sqlite`: a task store in a SQLite file, for one process; acknowledged commits survive `kill -9`. Needs `libsql`. */
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { checkGathering } from '../sql/gathering.js';
import type { TaskStore } from '../store.js';
import { createStore, type StoreSettings } from './create-store.js';
import { openFile } from './open.js';

export type { TaskStore } from '../store.js';

export interface SqliteOptions {
  /**
   * What an answered commit survives.
   *
   * `'process'`: every commit survives the end of the process, `kill -9` included. A power cut, or a crash of the operating system,
   * also leaves what accepted a caller's message and what ended a task: those are on the disk before they are answered, together with
   * all that was committed before them. It may take the chunks and states committed since. Default.
   *
   * `'power'`: every commit is on the disk before it is answered. A commit then costs one sync of the disk, which it shares with those
   * made at the same time.
   *
   * In both, a task may be read in the moment between its commit and the sync. Neither survives a disk that loses what it confirmed.
   */
  readonly durability?: 'process' | 'power';
  /** How long events of all tasks are gathered into one commit, in milliseconds; the first after quiet does not wait. Default 2. */
  readonly lingerMs?: number;
  /** How long the log of an ended task can be replayed, in hours. Default 24. */
  readonly replayHours?: number;
  /** Default: the time of the machine. */
  readonly clock?: Clock;
}

/**
 * A store that keeps tasks in `file`, which is made where it does not exist, folder included. The file belongs to one process: a second
 * one is refused and told who has it. Throws at once when the file can not be used.
 *
 * Beside the file lie others with its name: `-wal` and `-shm` belong to it, above all while it is in use, and `-lock` says who uses it.
 */
export function sqlite(file: string, options: SqliteOptions = {}): TaskStore {
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
