/**
 * One connection to PostgreSQL with a time limit for every statement. Statements run one at a time, and a statement without an answer in
 * time destroys the connection.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Client, ClientConfig, Pool, QueryResult } from 'pg';
import { requirePackage } from '../../platform/require-package.js';
import { A2AError } from '../../protocol/errors.js';

const CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** The connection settings, from a URL or a pool. Throws at once if the value is neither. */
export function toClientConfig(database: string | Pool): ClientConfig {
  const config = typeof database === 'string' ? fromUrl(database) : fromPool(database);
  return {
    fallback_application_name: 'parley-bus',
    ...config,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: config.connectionTimeoutMillis || CONNECT_MS, // 0 would wait forever
  };
}

function fromUrl(connectionString: string): ClientConfig {
  // The message omits the value, because it may contain a password.
  if (!/^postgres(ql)?:\/\//.test(connectionString)) throw misuse('the database must be a URL that begins with postgresql://, or a Pool');
  const pg = loadDriver();
  try {
    new pg.Client({ connectionString });
  } catch (cause) {
    throw misuse('the URL of the database cannot be parsed; expected postgresql://user@host:5432/name', cause);
  }
  return { connectionString };
}

/** The password is not enumerable in the options of a pool, so a spread does not copy it. */
function fromPool(pool: Pool): ClientConfig {
  const options: ClientConfig | undefined = pool?.options;
  if (typeof options !== 'object' || options === null) throw misuse('the database must be a URL that begins with postgresql://, or a Pool');
  return options.password === undefined ? { ...options } : { ...options, password: options.password };
}

export function loadDriver(): typeof import('pg') {
  return requirePackage('pg', '@parley/a2a/postgres');
}

function misuse(text: string, cause?: unknown): A2AError {
  return new A2AError('INVALID_PARAMS', text, { cause });
}

export interface ConnectionParts {
  readonly config: ClientConfig;
  /** Timeout of a statement. */
  readonly patienceMs: number;
  readonly onNotice?: (channel: string, payload: string) => void;
}

export class Connection {
  readonly #client: Client;
  readonly #patienceMs: number;
  readonly #lost = new AbortController();
  #socket: Duplex | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor({ config, patienceMs, onNotice }: ConnectionParts) {
    const openSocket = config.stream ?? (() => new Socket());
    this.#patienceMs = patienceMs;
    this.#client = new (loadDriver().Client)({
      ...config,
      // Keep the socket to destroy it: `end` of the driver waits for an answer, and a dead peer sends none.
      stream: () => {
        this.#socket = openSocket();
        if (this.#socket instanceof Socket) this.#socket.unref(); // the connection does not keep the process alive
        return this.#socket;
      },
    });
    this.#client.on('error', (error) => this.#lost.abort(error));
    this.#client.on('end', () => this.#lost.abort(new Error('the connection has ended')));
    this.#client.on('notification', ({ channel, payload }) => onNotice?.(channel, payload ?? ''));
  }

  /** Aborting `signal` cancels the attempt. */
  static async open(parts: ConnectionParts, signal: AbortSignal): Promise<Connection> {
    const connection = new Connection(parts);
    const giveUp = (): void => connection.cut();
    signal.addEventListener('abort', giveUp);
    try {
      await connection.#client.connect();
      signal.throwIfAborted();
      return connection;
    } catch (cause) {
      connection.cut();
      throw cause;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Aborted with the reason when the connection is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  query(text: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const run = async (): Promise<QueryResult> => {
      const timer = setTimeout(() => this.cut(), this.#patienceMs).unref();
      try {
        return await this.#client.query(text, [...values]);
      } finally {
        clearTimeout(timer);
      }
    };
    const answer = this.#last.then(run);
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Destroys the connection at once. */
  cut(): void {
    this.#lost.abort(new Error('the connection was cut'));
    this.#socket?.destroy();
  }

  /** Closes the connection gracefully if the peer answers; otherwise destroys it after the timeout. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.cut(), this.#patienceMs).unref();
    try {
      await this.#client.end();
    } catch {
      // Already closed.
    } finally {
      clearTimeout(timer);
      this.cut();
    }
  }
}
