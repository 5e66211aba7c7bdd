/**
 * Copies the write-ahead log (WAL) into the database file without blocking the event loop: a second connection does it on a thread of the
 * driver. The checkpoint that SQLite runs within a commit would block the loop for as long as the disk takes.
 */
import type { Gate } from './gate.js';
import type { OpenFile } from './open.js';
import { connectBeside } from './second-connection.js';

/** Limit of the WAL, in pages. The size of each write is estimated. */
const DEFAULT_PAGES = 4_000;
const CHARS_PER_PAGE = 4_000;
/** Pages for a row with its index entries. A row that is only appended to `events` has one index entry. */
const PAGES_PER_ROW = 10;
const PAGES_PER_APPEND = 2;

export interface WriteSize {
  /** Rows that changed a task, an inbox or a request. */
  readonly rows: number;
  /** Rows that were only appended to `events`. */
  readonly appends: number;
  readonly chars: number;
}

export interface Checkpoints {
  /** Reports a write. */
  wrote(size: WriteSize): void;
  /** Resolves when the WAL is empty, or cannot be emptied now; then the next start reads it. */
  close(): Promise<void>;
}

/** Falls back to SQLite's own checkpoints if a second connection is not possible. */
export function createCheckpoints({ path, db }: OpenFile, gate: Gate, pages = DEFAULT_PAGES): Checkpoints {
  const own = connectBeside(path);
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
      // The first pass copies most of the WAL while writes continue; the second copies the rest while writes wait briefly. Only then does
      // SQLite restart the WAL from its beginning.
      await move();
      gate.shut();
      written = 0;
      await move();
    } catch {
      // Pages that were not copied stay in the WAL: nothing is lost, and the next checkpoint retries.
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
        // The WAL grows faster than it can be copied.
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
