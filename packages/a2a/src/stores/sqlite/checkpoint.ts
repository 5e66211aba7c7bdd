/**
 * Moves the write-ahead log into the file, beside the event loop: a second connection does it on a thread of the driver. SQLite's own way,
 * within a commit, stops the loop for as long as the disk takes.
 */
import type Database from 'libsql/promise';
import { requirePackage } from '../../platform/require-package.js';
import type { Gate } from './gate.js';
import type { OpenFile } from './open.js';

/** How long the log may get; what a write adds to it is estimated. */
const DEFAULT_PAGES = 4_000;
const CHARS_PER_PAGE = 4_000;
/** A row with its places in the indexes; a row of the log has one. */
const PAGES_PER_ROW = 10;
const PAGES_PER_APPEND = 2;

export interface WriteSize {
  /** Rows that changed a task, an inbox or a request. */
  readonly rows: number;
  /** Rows that were only added to logs. */
  readonly appends: number;
  readonly chars: number;
}

export interface Checkpoints {
  /** Something was written. */
  wrote(size: WriteSize): void;
  /** Resolves when the log is empty, or can not be emptied now: then the next start reads it. */
  close(): Promise<void>;
}

/** Where a second connection can not be had, SQLite does it its own way. */
export function createCheckpoints({ path, db }: OpenFile, gate: Gate, pages = DEFAULT_PAGES): Checkpoints {
  const own = connect(path);
  if (own === undefined) {
    db.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
    return { wrote: () => {}, close: async () => {} };
  }
  let written = 0;
  let running: Promise<void> | undefined;
  let isClosing = false;

  const move = (): Promise<void> => own.exec('PRAGMA wal_checkpoint(PASSIVE)');
  const run = async (): Promise<void> => {
    try {
      // Nearly all of it while writes go on; what they add, while they wait a moment. Only then does the log start over.
      await move();
      gate.shut();
      written = 0;
      await move();
    } catch {
      // What could not be moved stays in the log: nothing is lost, and the next one tries again.
    } finally {
      running = undefined;
      gate.open();
    }
  };

  return {
    wrote({ rows, appends, chars }) {
      written += rows * PAGES_PER_ROW + appends * PAGES_PER_APPEND + chars / CHARS_PER_PAGE;
      if (written < pages || isClosing) return;
      if (running !== undefined) {
        // The log grows faster than it can be moved.
        gate.shut();
        return;
      }
      written = 0;
      running = run();
    },
    async close() {
      isClosing = true;
      await running;
      await own.exec('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => {});
      own.close();
    },
  };
}

function connect(path: string): Database | undefined {
  const Driver = requirePackage<typeof Database>('libsql/promise', '@parley/a2a/sqlite');
  try {
    return new Driver(path, {});
  } catch {
    return undefined;
  }
}
