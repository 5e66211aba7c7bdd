/** A connection to one SQLite file. Statements are prepared once; rows are returned as tuples. */
import type Database from 'libsql';
import { requirePackage } from '../../platform/require-package.js';

const CANTOPEN = 14;

/**
 * The possible column values. The driver stores numbers as the column type requires. A boolean would crash the process, so the type
 * excludes it.
 */
export type Value = string | number | null;
export type Row = readonly Value[];

/** Returns the number of changed rows. */
export type Command = (values: Row) => number;

/**
 * Returns the key of the inserted row, or undefined if none was inserted. Cheaper than RETURNING, which makes SQLite keep copies of pages.
 */
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

  /** The path must be absolute: the driver takes other names for network servers. */
  constructor(path: string) {
    const Driver = loadDriver();
    try {
      this.#database = new Driver(path);
    } catch (cause) {
      // Only here, the driver does not give an error code.
      throw Object.assign(new Error('The file cannot be opened', { cause }), { rawCode: CANTOPEN });
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

  /** A command that returns the changed rows. It fetches all rows, because the driver hides errors that occur after the first one. */
  returning<R extends Row>(sql: string): (values: Row) => readonly R[] {
    const statement = this.#database.prepare(sql).raw(true);
    return (values) => statement.all(values) as R[];
  }

  /** A read. The caller gives the column types; keep a statement and its tuple type side by side. */
  query<R extends Row>(sql: string): Query<R> {
    const statement = this.#database.prepare(sql).raw(true);
    return {
      one: (values) => statement.get(values) as R | undefined,
      all: (values) => statement.all(values) as R[],
    };
  }

  /** The first column of the first row, for settings that are read once. */
  ask(sql: string): Value | undefined {
    return this.query(sql).one([])?.[0];
  }

  /** Registers a callback that invalidates state kept outside the database. */
  onRollback(forget: () => void): void {
    this.#onRollback = forget;
  }

  /** Runs `work` entirely or not at all. Some failures end the transaction by themselves, others leave it open. */
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
