/** The database as the store uses it: made ready at the first call, and asked again while it is briefly away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { A2AError } from '../../protocol/errors.js';
import { type Ask, type Connections, type Row, type Values, within } from './connections.js';
import { isPassing } from './failure.js';

/** What the tables have to be. Both may be asked for again. */
export interface Schema {
  isCurrent(ask: Ask): Promise<boolean>;
  /** Entirely or not at all. */
  migrate(ask: Ask): Promise<void>;
}

export interface DatabaseParts {
  readonly connections: Connections;
  readonly patienceMs: number;
  readonly queryTimeoutMs: number;
  readonly schema: Schema;
}

export interface Attempt {
  /** An earlier one may have succeeded, and only its answer was lost. */
  readonly isAgain: boolean;
  /** How long the server lets a statement wait for a row: it gives up before we do, so that nothing happens behind our back. */
  readonly lockMs: string;
}

type Work<T> = (ask: Ask, attempt: Attempt) => Promise<T>;

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const LONGEST_MIGRATION_MS = 3_600_000;

export class Database {
  readonly #parts: DatabaseParts;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #isReady = false;
  #preparing: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: DatabaseParts) {
    this.#parts = parts;
  }

  /** Rows of one statement. It may be sent more than once: what it does twice must be what it does once. */
  rows<R extends Row>(sql: string, values: Values | ((attempt: Attempt) => Values) = []): Promise<readonly R[]> {
    return this.retrying((ask, attempt) => ask<R>(sql, typeof values === 'function' ? values(attempt) : values));
  }

  async one<R extends Row>(sql: string, values: Values | ((attempt: Attempt) => Values)): Promise<R | undefined> {
    const [row] = await this.rows<R>(sql, values);
    return row;
  }

  /** For a question that answers itself. */
  async nothing<T>(answer: T): Promise<T> {
    this.#check();
    return answer;
  }

  /**
   * Tries until it succeeds, fails for good, or patience has run out; then rejects with what was last in the way. `isWorth` says what is
   * worth another try.
   */
  async retrying<T>(work: Work<T>, isWorth: (error: unknown) => boolean = isPassing): Promise<T> {
    this.#check();
    const call = this.#retry(work, isWorth);
    this.#underWay.add(call);
    try {
      return await call;
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** What was called before is finished first, but for what waits for a database that is away. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #check(): void {
    if (this.#closed !== undefined) throw new A2AError('AGENT_UNAVAILABLE', 'The store is closed');
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#underWay, this.#preparing]);
    await this.#parts.connections.close();
  }

  async #retry<T>(work: Work<T>, isWorth: (error: unknown) => boolean): Promise<T> {
    const { patienceMs, queryTimeoutMs } = this.#parts;
    const deadline = performance.now() + patienceMs;
    for (let tries = 0, waitMs = FIRST_WAIT_MS; ; tries += 1, waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      const leftMs = tries < 2 ? queryTimeoutMs : Math.ceil(Math.max(1, deadline - performance.now()));
      const timeoutMs = Math.min(queryTimeoutMs, leftMs);
      const attempt = { isAgain: tries > 0, lockMs: String(Math.ceil(timeoutMs / 2)) };
      try {
        return await this.#attempt(timeoutMs, (ask) => work(ask, attempt));
      } catch (error) {
        // At least once more: a connection that hangs may use up all patience.
        const isOver = tries > 0 && performance.now() + waitMs > deadline;
        if (!isWorth(error) || isOver || !(await this.#wait(waitMs))) throw error;
      }
    }
  }

  async #attempt<T>(timeoutMs: number, work: (ask: Ask) => Promise<T>): Promise<T> {
    if (!this.#isReady) {
      this.#preparing ??= this.#prepare();
      await within(timeoutMs, this.#preparing);
    }
    return this.#parts.connections.use(timeoutMs, work);
  }

  /** Takes as long as it takes: those who wait for it give up by themselves. */
  async #prepare(): Promise<void> {
    const { connections, queryTimeoutMs, schema } = this.#parts;
    try {
      if (!(await connections.use(queryTimeoutMs, (ask) => schema.isCurrent(ask)))) {
        await connections.use(LONGEST_MIGRATION_MS, (ask) => schema.migrate(ask));
      }
      this.#isReady = true;
    } finally {
      this.#preparing = undefined;
    }
  }

  /** Not all at once: nodes that lost the same database come back one by one. False when the store closes meanwhile. */
  async #wait(waitMs: number): Promise<boolean> {
    try {
      await sleep(waitMs * (0.5 + Math.random() / 2), undefined, { signal: this.#closing.signal });
      return true;
    } catch {
      return false;
    }
  }
}
