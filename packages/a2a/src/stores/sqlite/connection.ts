/** A connection to one SQLite file: statements are made once, values go in, rows come out as tuples. */
import type Database from 'libsql';
import { requirePackage } from '../../platform/require-package.js';

const CANTOPEN = 14;

/** What a column holds. The driver stores numbers as they fit the column, and takes the process down on a boolean: none gets this far. */
export type Value = string | number | null;
export type Row = readonly Value[];

/** Answers how many rows it changed. */
export type Command = (values: Row) => number;

/** Answers the key of the row that it added, if it added one. Cheaper than RETURNING, which has SQLite keep copies of the pages. */
export type Insertion = (values: Row) => number | undefined;

export interface Query<R extends Row> {
  one(values: Row): R | undefined;
  all(values: Row): readonly R[];
}

/** Throws when the package is not installed. */
export function loadDriver(): typeof Database {
  return requirePackage('libsql', '@parley/a2a/sqlite');
}

export class Connection {
  readonly #database: Database.Database;
  #onRollback: (() => void) | undefined;

  /** The path must be absolute: the driver takes other names for servers in the network. */
  constructor(path: string) {
    const Driver = loadDriver();
    try {
      this.#database = new Driver(path);
    } catch (cause) {
      // Here, and only here, the driver does not say the code.
      throw Object.assign(new Error('The file can not be opened', { cause }), { rawCode: CANTOPEN });
    }
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  command(sql: string): Command {
    const statement = this.#database.prepare(sql);
    return (values) => statement.run(values).changes;
  }

  insertion(sql: string): Insertion {
    const statement = this.#database.prepare(sql);
    return (values) => {
      const { changes, lastInsertRowid } = statement.run(values);
      return changes === 0 ? undefined : Number(lastInsertRowid);
    };
  }

  /** A command that answers the rows it changed. It is stepped to its end: the driver hides what goes wrong after the first row. */
  returning<R extends Row>(sql: string): (values: Row) => readonly R[] {
    const statement = this.#database.prepare(sql).raw(true);
    return (values) => statement.all(values) as R[];
  }

  /** Reads. The caller says what the columns are; a statement and its tuple stand side by side. */
  query<R extends Row>(sql: string): Query<R> {
    const statement = this.#database.prepare(sql).raw(true);
    return {
      one: (values) => statement.get(values) as R | undefined,
      all: (values) => statement.all(values) as R[],
    };
  }

  /** The first column of the first row, for settings that are asked once. */
  ask(sql: string): Value | undefined {
    return this.query(sql).one([])?.[0];
  }

  /** For what is remembered beside the database. */
  onRollback(forget: () => void): void {
    this.#onRollback = forget;
  }

  /** All of `work` or nothing. Some failures end the transaction by themselves, others leave it open. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.exec('ROLLBACK');
      this.#onRollback?.();
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
