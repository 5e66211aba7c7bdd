/** The database as the store uses it: prepares the schema on the first call, and retries during short outages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { A2AError } from '../../protocol/errors.js';
import { type Ask, type Connections, type Row, type Values, within } from './connections.js';
import { isPassing } from './failure.js';

/** The schema of the tables. Both methods may be called repeatedly. */
export interface Schema {
  isCurrent(ask: Ask): Promise<boolean>;
  /** Applies each of its transactions entirely or not at all. */
  migrate(ask: Ask): Promise<void>;
}

export interface DatabaseParts {
  readonly connections: Connections;
  readonly patienceMs: number;
  readonly queryTimeoutMs: number;
  readonly schema: Schema;
}

export interface Attempt {
  /** An earlier attempt may have succeeded with its answer lost. */
  readonly isAgain: boolean;
  /**
   * How long the server lets a statement wait for a row lock. The server gives up before we do, so that nothing is executed after we
   * stopped waiting.
   */
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

  /** Returns the rows of one statement. It may be sent more than once, so it must be idempotent. */
  rows<R extends Row>(sql: string, values: Values | ((attempt: Attempt) => Values) = []): Promise<readonly R[]> {
    return this.retrying((ask, attempt) => ask<R>(sql, typeof values === 'function' ? values(attempt) : values));
  }

  async one<R extends Row>(sql: string, values: Values | ((attempt: Attempt) => Values)): Promise<R | undefined> {
    const [row] = await this.rows<R>(sql, values);
    return row;
  }

  /** For a call that needs no query; it still fails when the store is closed. */
  async nothing<T>(answer: T): Promise<T> {
    this.#check();
    return answer;
  }

  /**
   * Retries until the work succeeds, fails for good, or `patienceMs` is over; then rejects with the last error. `isWorth` decides whether
   * an error is worth a retry.
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

  /** Waits for calls in flight, except for those that wait to retry. */
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
        // Allow at least two attempts: a connection that hangs may use up `patienceMs` in the first one.
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

  /** Has no timeout of its own: the callers that wait for it have one. */
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

  /** Jittered, so that nodes that lost the same database do not all return at once. False when the store closes meanwhile. */
  async #wait(waitMs: number): Promise<boolean> {
    try {
      await sleep(waitMs * (0.5 + Math.random() / 2), undefined, { signal: this.#closing.signal });
      return true;
    } catch {
      return false;
    }
  }
}
