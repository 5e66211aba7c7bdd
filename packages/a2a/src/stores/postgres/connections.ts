/** Connections to one database: taken for one use, given back when they are sound, thrown away when they hang or broke. */
import type { CustomTypesConfig, Pool, PoolClient, PoolConfig } from 'pg';
import { requirePackage } from '../../platform/require-package.js';
import { A2AError } from '../../protocol/errors.js';
import { isAnswer } from './failure.js';

/** What a parameter may be; arrays are of numbers only, since texts would have to be escaped one by one. */
export type Value = string | number | boolean | null | readonly (number | null)[];
export type Values = readonly Value[];
/** What a column holds: the caller says which, beside the statement. */
export type Row = readonly (string | number | boolean | null | readonly number[])[];

/** One statement, or several without values. */
export type Ask = <R extends Row>(sql: string, values?: Values) => Promise<readonly R[]>;

export interface ConnectionSettings {
  readonly connections: number;
  /** How long one use may take, the wait for a connection included. */
  readonly queryTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_MS = 30_000;

const [BOOL, INT8, INT2, INT4, INT8_ARRAY] = [16, 20, 21, 23, 1016];

/** Own ones, whatever the pool or the process was told about types: numbers are numbers, everything else is text. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [INT8, Number],
  [INT2, Number],
  [INT4, Number],
  [INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))],
]);
const asText = (text: string): string => text;
// The driver asks by the number of the type, and always for the text format, since nothing else is asked for here.
const TYPES = { getTypeParser: (type: number) => PARSERS.get(type) ?? asText } as CustomTypesConfig;

export class Connections {
  readonly #pool: Pool;
  readonly #isOwn: boolean;

  /** Up to that many, or those of the caller's pool. Throws when the URL is no good; connects when one is first used. */
  static many(database: string | Pool, count: number): Connections {
    return typeof database === 'string' ? new Connections(createPool(database, count), true) : new Connections(checkPool(database), false);
  }

  /** One that nobody else waits for, also beside the caller's pool, where that says how it makes its own. */
  static one(database: string | Pool, { queryTimeoutMs }: Pick<ConnectionSettings, 'queryTimeoutMs'>): Connections {
    if (typeof database === 'string') return new Connections(createPool(database, 1), true);
    const beside = poolBeside(database, queryTimeoutMs);
    return new Connections(beside ?? database, beside !== undefined);
  }

  private constructor(pool: Pool, isOwn: boolean) {
    this.#pool = pool;
    this.#isOwn = isOwn;
    // A connection that breaks while nobody uses it: the pool has let go of it, and without a listener the process would end.
    this.#pool.on('error', ignore);
  }

  /** Rejects with `QueryTimeout` when it takes longer; whatever is under way then is given up, and so is its connection. */
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

  /** What is in use is given back first. A pool of the caller stays his. */
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

/** Rejects when it takes longer; what becomes of it then is nobody's business. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new QueryTimeout(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** All numbers of the database are whole, and none is beyond what a client can say exactly: larger ones are as good as the largest. */
export function toWhole(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  return Math.trunc(Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)) || 0;
}

/** Lists are made of such already. */
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
      // It came too late, and nothing is wrong with it.
      this.end(true);
      throw new Error('A connection was not to be had in time');
    }
    return work(async <R extends Row>(sql: string, values: Values = []) => {
      const { rows } = await client.query({ text: sql, values: values.map(toParameter), rowMode: 'array', types: TYPES });
      return rows as unknown as R[]; // whoever wrote the statement says what its columns are
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
 * With a listener from the very first: a server that goes away may say so in the same breath in which it lets us in, and until its promise
 * is heard of a connection that was taken has none. The statement under way is told as well.
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

function loadDriver(): typeof import('pg') {
  return requirePackage('pg', '@parley/a2a/postgres');
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
    new pg.Client(settings); // reads the URL, and does nothing else
  } catch (cause) {
    throw wrongDatabase(cause);
  }
  return new pg.Pool(settings);
}

function poolBeside(pool: Pool, timeoutMs: number): Pool | undefined {
  const options: PoolConfig | undefined = checkPool(pool).options;
  if (typeof options !== 'object' || options === null) return undefined;
  return new (loadDriver().Pool)({
    ...options,
    ...(options.password !== undefined && { password: options.password }), // hidden from those who copy the options
    max: 1,
    // There is no other: one that could not be made, and that nobody gives up on, would be waited for as long as the network likes.
    connectionTimeoutMillis: options.connectionTimeoutMillis || timeoutMs,
    allowExitOnIdle: true,
  });
}

function checkPool(pool: Pool): Pool {
  const isPool = typeof pool === 'object' && pool !== null && typeof pool.connect === 'function' && typeof pool.on === 'function';
  if (!isPool) throw wrongDatabase();
  return pool;
}

/** A URL may hold a password and is not repeated. */
function wrongDatabase(cause?: unknown): A2AError {
  return new A2AError('INVALID_PARAMS', 'a database is named by a URL like postgresql://user@host:5432/name, or given as a Pool of pg', {
    cause,
  });
}
