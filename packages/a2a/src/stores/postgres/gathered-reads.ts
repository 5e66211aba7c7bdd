/**
 * Readers of tasks that run on other nodes are told of news together, and go to look together: what they ask for in one turn is one question,
 * and what several of them ask for is asked once.
 */
import { refValues } from '../sql/tasks.js';
import type { TaskRef } from '../store.js';
import { toWhole } from './connections.js';
import type { Database } from './database.js';
import { joinColumn, refValue } from './names.js';

/** What there is of a log: `i` counts the tasks of the question from 1; `firstSeq` and `text` are null where there are no entries. */
export type LogRow = readonly [i: number, ended: number, newest: number, firstSeq: number | null, text: string | null];

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
  /** Of this turn, as long as there is room in it. */
  #question: Question | undefined;

  constructor(db: Database, schema: string) {
    this.#db = db;
    this.#sql = `SELECT * FROM ${schema}.read_after($1, $2, $3, $4, $5)`;
  }

  async read(read: Read): Promise<readonly LogRow[]> {
    const question = this.#question ?? this.#begin();
    const place = question.add(read);
    if (question.reads.length >= MAX_READS) this.#question = undefined;
    return (await question.answers)[place] ?? [];
  }

  #begin(): Question {
    const question: Question = new Question(async ({ reads }) => {
      if (this.#question === question) this.#question = undefined;
      return this.#ask(reads);
    });
    this.#question = question;
    return question;
  }

  async #ask(reads: readonly Read[]): Promise<readonly (readonly LogRow[])[]> {
    const names = reads.map(({ ref }) => refValues(ref));
    const columns = [0, 1, 2].map((column) => joinColumn(names, column));
    const [next, max] = [reads.map((read) => toWhole(read.next)), reads.map((read) => toWhole(read.maxBytes))];
    const answers = reads.map((): LogRow[] => []);
    for (const row of await this.#db.rows<LogRow>(this.#sql, [...columns, next, max])) answers[row[0] - 1]?.push(row);
    return answers;
  }
}

class Question {
  readonly reads: Read[] = [];
  /** For each read, once everybody of this turn has said what he wants. */
  readonly answers: Promise<readonly (readonly LogRow[])[]>;
  readonly #places = new Map<string, number>();

  constructor(ask: (question: Question) => Promise<readonly (readonly LogRow[])[]>) {
    this.answers = Promise.resolve(this).then(ask);
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
}
