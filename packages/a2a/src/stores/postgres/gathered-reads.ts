/**
 * Combines concurrent log reads into one query. Readers of tasks on other nodes are notified together and read together; equal reads are
 * queried once.
 */
import { refValues } from '../sql/tasks.js';
import type { TaskRef } from '../store.js';
import { toWhole, type Values } from './connections.js';
import type { Database } from './database.js';
import { joinColumn, NAME_COLUMNS, refValue } from './names.js';

/** One row of the result. `i` counts the reads of the query from 1; `firstSeq` and `text` are null when there are no entries. */
export type LogRow = readonly [
  i: number,
  ended: number,
  newest: number,
  firstSeq: number | null,
  text: string | null,
  generation: number | null,
  committedAt: number | null,
];

export interface Read {
  readonly ref: TaskRef;
  /** The first seq to read. */
  readonly next: number;
  readonly maxBytes: number;
}

/** Limits the size of the result: each read may return as much as its reader accepts at once. */
const MAX_READS = 64;

export class GatheredReads {
  readonly #db: Database;
  readonly #sql: string;
  /** The query that new reads can still join. */
  #batch: ReadBatch | undefined;

  constructor(db: Database, schema: string) {
    this.#db = db;
    this.#sql = `SELECT * FROM ${schema}.read_after($1, $2, $3, $4, $5, $6)`;
  }

  async read(read: Read): Promise<readonly LogRow[]> {
    const batch = this.#batch ?? this.#begin();
    const place = batch.add(read);
    if (batch.reads.length >= MAX_READS) this.#end(batch);
    return (await batch.answers)[place] ?? [];
  }

  /** Starts the call at once, so that `close()` waits for it. The parameters are collected later, when a connection is available. */
  #begin(): ReadBatch {
    const batch: ReadBatch = new ReadBatch(() => {
      const values = (): Values => {
        this.#end(batch);
        return batch.values();
      };
      return this.#db.rows<LogRow>(this.#sql, values);
    });
    this.#batch = batch;
    // A later read starts its own query, so that it has the full timeout and not the rest of an earlier one.
    queueMicrotask(() => this.#end(batch));
    return batch;
  }

  #end(batch: ReadBatch): void {
    if (this.#batch === batch) this.#batch = undefined;
  }
}

class ReadBatch {
  readonly reads: Read[] = [];
  /** One list of rows per read. */
  readonly answers: Promise<readonly (readonly LogRow[])[]>;
  readonly #places = new Map<string, number>();

  constructor(ask: () => Promise<readonly LogRow[]>) {
    this.answers = ask().then((rows) => this.#sort(rows));
  }

  /** Returns the index of the read in `answers`. */
  add(read: Read): number {
    const key = `${read.next} ${read.maxBytes} ${refValue(read.ref)}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.reads.push(read) - 1;
    this.#places.set(key, place);
    return place;
  }

  values(): Values {
    const names = this.reads.map(({ ref }) => refValues(ref));
    const columns = NAME_COLUMNS.map((column) => joinColumn(names, column));
    return [...columns, this.reads.map(({ next }) => toWhole(next)), this.reads.map(({ maxBytes }) => toWhole(maxBytes))];
  }

  #sort(rows: readonly LogRow[]): readonly (readonly LogRow[])[] {
    const answers = this.reads.map((): LogRow[] => []);
    for (const row of rows) answers[row[0] - 1]?.push(row);
    return answers;
  }
}
