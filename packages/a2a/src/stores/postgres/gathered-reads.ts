/**
 * Readers of tasks that run on other nodes are told of news together, and go to look together: what they ask for at the same moment is one
 * question, and what several of them ask for is asked once.
 */
import { refValues } from '../sql/tasks.js';
import type { TaskRef } from '../store.js';
import { toWhole, type Values } from './connections.js';
import type { Database } from './database.js';
import { joinColumn, NAME_COLUMNS, refValue } from './names.js';

/** What there is of a log: `i` counts the tasks of the question from 1; `firstSeq` and `text` are null where there are no entries. */
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
  /** The seq to begin with. */
  readonly next: number;
  readonly maxBytes: number;
}

/** Each may be answered with as much as its reader takes at once: more of them would be an answer of many megabytes. */
const MAX_READS = 64;

export class GatheredReads {
  readonly #db: Database;
  readonly #sql: string;
  /** That can still be joined. */
  #question: Question | undefined;

  constructor(db: Database, schema: string) {
    this.#db = db;
    this.#sql = `SELECT * FROM ${schema}.read_after($1, $2, $3, $4, $5, $6)`;
  }

  async read(read: Read): Promise<readonly LogRow[]> {
    const question = this.#question ?? this.#begin();
    const place = question.add(read);
    if (question.reads.length >= MAX_READS) this.#end(question);
    return (await question.answers)[place] ?? [];
  }

  /** The database is told at once, so that it does not close before; what to ask it is asked for when a connection is there. */
  #begin(): Question {
    const question: Question = new Question(() => {
      const values = (): Values => {
        this.#end(question);
        return question.values();
      };
      return this.#db.rows<LogRow>(this.#sql, values);
    });
    this.#question = question;
    // Who comes later may wait as long as he would alone, and not only as long as is left to others.
    queueMicrotask(() => this.#end(question));
    return question;
  }

  #end(question: Question): void {
    if (this.#question === question) this.#question = undefined;
  }
}

class Question {
  readonly reads: Read[] = [];
  /** For each read. */
  readonly answers: Promise<readonly (readonly LogRow[])[]>;
  readonly #places = new Map<string, number>();

  constructor(ask: () => Promise<readonly LogRow[]>) {
    this.answers = ask().then((rows) => this.#sort(rows));
  }

  /** Its place among the answers. */
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
