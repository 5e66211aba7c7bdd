/** Connections to one database. Each is taken for one use, returned if it is sound, and discarded if it hangs or broke. */
import type { ClientConfig, CustomTypesConfig, Pool, PoolClient, PoolConfig } from 'pg';
import { patientTimer } from '../../platform/patient-timer.js';
import { requirePackage, resolvePackage } from '../../platform/require-package.js';
import { A2AError } from '../../protocol/errors.js';
import { isAnswer } from './failure.js';

/** The possible parameter values. Arrays contain numbers only, because texts would have to be escaped one by one. */
export type Value = string | number | boolean | null | readonly (number | null)[];
export type Values = readonly Value[];
/** The possible column values. The caller gives the exact types together with the statement. */
export type Row = readonly (string | number | boolean | null | readonly number[])[];

/** Sends one statement, or several without values. */
export type Ask = <R extends Row>(sql: string, values?: Values) => Promise<readonly R[]>;

export interface ConnectionSettings {
  readonly connections: number;
  /** Timeout of one use, including the wait for a connection. */
  readonly queryTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_MS = 30_000;

const [BOOL, INT8, INT2, INT4, INT8_ARRAY] = [16, 20, 21, 23, 1016];

/** Own parsers, independent of type parsers that the pool or the process registered: numbers become numbers, everything else is text. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [INT8, Number],
  [INT2, Number],
  [INT4, Number],
  [INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))],
]);
const asText = (text: string): string => text;
// The driver calls it with the type number, and always for the text format, because no other format is requested here.
const TYPES = { getTypeParser: (type: number) => PARSERS.get(type) ?? asText } as CustomTypesConfig;

export class Connections {
  readonly #pool: Pool;
  readonly #isOwn: boolean;

  /** Up to `count` connections, or the caller's pool. Throws if the URL is invalid; connects on first use. */
  static many(database: string | Pool, count: number): Connections {
    return typeof database === 'string' ? new Connections(createPool(database, count), true) : new Connections(checkPool(database), false);
  }

  /**
   * A dedicated connection, so that it never waits for other uses. For a caller's pool it is made with the pool's options, if they are
   * readable.
   */
  static one(database: string | Pool, { queryTimeoutMs }: Pick<ConnectionSettings, 'queryTimeoutMs'>): Connections {
    if (typeof database === 'string') return new Connections(createPool(database, 1), true);
    const beside = poolBeside(database, queryTimeoutMs);
    return new Connections(beside ?? database, beside !== undefined);
  }

  private constructor(pool: Pool, isOwn: boolean) {
    this.#pool = pool;
    this.#isOwn = isOwn;
    // An idle connection may break. The pool drops it, but without a listener the `error` event would end the process.
    this.#pool.on('error', ignore);
  }

  /** Rejects with `QueryTimeout` after `timeoutMs`; the running work is then abandoned and its connection discarded. */
  async use<T>(timeoutMs: number, work: (ask: Ask) => Promise<T>): Promise<T> {
    const use = new Use(this.#pool);
    try {
      const answer = await within(timeoutMs, use.run(work));
      use.end(true);
      return answer;
    } catch (error) {
      use.end(isAnswer(error));
      throw error;
    }
  }

  /** Waits until connections in use are returned. A pool of the caller is not ended. */
  async close(): Promise<void> {
    if (this.#isOwn) await this.#pool.end();
    else this.#pool.off('error', ignore);
  }
}

class QueryTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`PostgreSQL did not answer within ${timeoutMs} ms`);
  }
}

/** Rejects after `timeoutMs`; the work itself continues, and its result is ignored. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let stopTimer = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stopTimer = patientTimer(timeoutMs, () => reject(new QueryTimeout(timeoutMs)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stopTimer();
  }
}

/** All numbers in the database are integers within the safe range of JavaScript; larger values are clamped. */
export function toWhole(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  return Math.trunc(Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)) || 0;
}

/** Arrays are converted by their callers. */
function toParameter(value: Value): Value {
  return typeof value === 'number' ? toWhole(value) : value;
}

class Use {
  readonly #pool: Pool;
  #client: PoolClient | undefined;
  #hasEnded = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async run<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const client = await take(this.#pool);
    this.#client = client;
    if (this.#hasEnded) {
      // The connection arrived too late, but it is sound.
      this.end(true);
      throw new Error('No connection became available in time');
    }
    return work(async <R extends Row>(sql: string, values: Values = []) => {
      const { rows } = await client.query({ text: sql, values: values.map(toParameter), rowMode: 'array', types: TYPES });
      return rows as unknown as R[]; // the author of the statement knows the types of its columns
    });
  }

  end(isSound: boolean): void {
    this.#hasEnded = true;
    const client = this.#client;
    if (client === undefined) return;
    client.off('error', ignore);
    client.release(!isSound);
  }
}

/**
 * Adds the `error` listener in the callback and not after the promise: a server that shuts down may send its error together with the
 * connect reply, before a promise continuation runs. The statement in flight gets the error as well.
 */
function take(pool: Pool): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return reject(error);
      resolve(client.on('error', ignore));
    });
  });
}

function ignore(): void {}

const DRIVER = ['pg', '@parley/a2a/postgres'] as const;

function loadDriver(): typeof import('pg') {
  return requirePackage(...DRIVER);
}

/** For a thread, which loads the driver itself. */
export function driverPath(): string {
  return resolvePackage(...DRIVER);
}

/** The configuration of a connection that a thread makes. Throws if the options of the caller's pool are not readable. */
export function threadConfig(database: string | Pool): ClientConfig {
  const options = typeof database === 'string' ? { connectionString: database } : optionsOf(database);
  if (options === undefined) throw new Error('the options of the Pool are not readable');
  const { types: _, ...config } = options; // functions; no answer that the thread reads depends on them
  return { fallback_application_name: 'parley-heartbeat', ...config, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS };
}

function createPool(url: string, connections: number): Pool {
  if (!/^postgres(ql)?:\/\//.test(url)) throw wrongDatabase();
  const settings = {
    connectionString: url,
    max: connections,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    fallback_application_name: 'parley',
  };
  const pg = loadDriver();
  try {
    new pg.Client(settings); // only parses the URL
  } catch (cause) {
    throw wrongDatabase(cause);
  }
  return new pg.Pool(settings);
}

function poolBeside(pool: Pool, timeoutMs: number): Pool | undefined {
  const options = optionsOf(pool);
  if (options === undefined) return undefined;
  return new (loadDriver().Pool)({
    ...options,
    max: 1,
    // The only connection must have a connect timeout, or a lost connect attempt would block heartbeats for as long as the network allows.
    connectionTimeoutMillis: options.connectionTimeoutMillis || timeoutMs,
    allowExitOnIdle: true,
  });
}

/** A copy of the options of a pool, if they are readable. The pool makes secrets not enumerable, so that a spread does not copy them. */
function optionsOf(pool: Pool): PoolConfig | undefined {
  const options: PoolConfig | undefined = checkPool(pool).options;
  if (typeof options !== 'object' || options === null) return undefined;
  const { password, ssl } = options;
  return {
    ...options,
    ...(password !== undefined && { password }),
    ...(typeof ssl === 'object' && ssl !== null && ssl.key !== undefined && { ssl: { ...ssl, key: ssl.key } }),
  };
}

function checkPool(pool: Pool): Pool {
  const isPool = typeof pool === 'object' && pool !== null && typeof pool.connect === 'function' && typeof pool.on === 'function';
  if (!isPool) throw wrongDatabase();
  return pool;
}

/** Does not repeat the URL, because it may contain a password. */
function wrongDatabase(cause?: unknown): A2AError {
  return new A2AError('INVALID_PARAMS', 'Expected a URL such as postgresql://user@host:5432/name, or a Pool of pg', {
    cause,
  });
}
