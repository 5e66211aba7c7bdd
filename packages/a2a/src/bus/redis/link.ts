/** Two connections to Redis: one subscribes, one publishes. ioredis reconnects both. */
import type { Redis, RedisOptions } from 'ioredis';
import type { Link, LinkEvents } from '../linked.js';

/** Creates a connection; these options override the user's own. */
export type Connect = (options: RedisOptions) => Redis;

export interface Pace {
  /** Interval of the pings on both connections. */
  readonly pingMs: number;
  /** How long Redis may take to answer before a connection is destroyed. */
  readonly patienceMs: number;
  /** Backoff between connection attempts: starts at `retryMs`, doubles, and is limited to `longestRetryMs`. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

const PACE: Pace = { pingMs: 10_000, patienceMs: 5_000, retryMs: 100, longestRetryMs: 5_000 };

export interface RedisLinkParts {
  readonly connect: Connect;
  readonly channel: string;
  readonly pace: Partial<Pace>;
  readonly events: LinkEvents;
}

/** The operator is warned after this many failed attempts in a row. */
const PATIENT_ATTEMPTS = 5;

/** Timeout of a disconnect. ioredis keeps the process alive for that long, even without a peer. */
const DISCONNECT_MS = 500;

export class RedisLink implements Link {
  readonly #parts: RedisLinkParts;
  readonly #pace: Pace;
  readonly #hearer: Redis;
  readonly #speaker: Redis;
  readonly #pinging: ReturnType<typeof setInterval>;
  #isClosed = false;
  #attempts = 0;
  #lastError: unknown;

  constructor(parts: RedisLinkParts) {
    const { events, channel, connect } = parts;
    this.#parts = parts;
    this.#pace = { ...PACE, ...parts.pace };
    this.#hearer = connect(this.#options());
    this.#speaker = connect(this.#options());
    for (const connection of [this.#hearer, this.#speaker]) {
      connection.on('error', (error) => this.#onError(error));
      this.#watchStart(connection);
    }
    this.#hearer.on('ready', () => this.#subscribe());
    this.#hearer.on('close', () => this.#onDeaf());
    this.#hearer.on('message', (from, text) => (from === channel ? events.heard(text) : undefined));
    this.#speaker.on('ready', () => events.opened());
    this.#pinging = setInterval(() => this.#ping(), this.#pace.pingMs).unref();
  }

  /** ioredis must not queue or repeat commands: the bus itself resends what was not confirmed. */
  #options(): RedisOptions {
    const { patienceMs, retryMs, longestRetryMs } = this.#pace;
    return {
      lazyConnect: false,
      enableOfflineQueue: false,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: patienceMs,
      disconnectTimeout: DISCONNECT_MS,
      // Jittered, so that nodes that lost the same server do not all return at once.
      retryStrategy: (attempt) => Math.min(longestRetryMs, retryMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2),
    };
  }

  get isOpen(): boolean {
    return this.#speaker.status === 'ready';
  }

  async send(texts: readonly string[]): Promise<void> {
    await Promise.all(texts.map((text) => this.#speaker.publish(this.#parts.channel, text)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pinging);
    await Promise.all([this.#hearer, this.#speaker].map(disconnect));
  }

  /** One set of listeners for all attempts: an attempt may close before it is ready, and listeners per attempt would leak. */
  #watchStart(connection: Redis): void {
    let stopWatching = (): void => {};
    connection.on('connect', () => {
      connection.stream.unref(); // the connection does not keep the process alive
      stopWatching();
      stopWatching = this.#cutUnlessAnswered(connection);
    });
    for (const event of ['ready', 'close'] as const) connection.on(event, () => stopWatching());
  }

  /**
   * Destroys the connection unless the returned function is called in time; ioredis then reconnects. The option `socketTimeout` would do
   * the same, but only from 5.4 on: an older ioredis ignores it and waits forever.
   */
  #cutUnlessAnswered({ stream }: Redis): () => void {
    const { patienceMs } = this.#pace;
    const cut = (): void => void stream.destroy(new Error(`Redis did not answer within ${patienceMs} ms`));
    const timer = setTimeout(cut, patienceMs).unref();
    return () => clearTimeout(timer);
  }

  #subscribe(): void {
    this.#hearer.subscribe(this.#parts.channel).then(
      () => {
        this.#attempts = 0;
        if (!this.#isClosed) this.#parts.events.hearing(true);
      },
      // Refused, or the connection was lost: in both cases, reconnect.
      (error) => {
        this.#onError(error);
        if (!this.#isClosed) this.#hearer.disconnect(true);
      },
    );
  }

  #onDeaf(): void {
    if (this.#isClosed) return;
    this.#parts.events.hearing(false);
    this.#attempts += 1;
    if (this.#attempts !== PATIENT_ATTEMPTS) return;
    this.#parts.events.warn(`The bus cannot reach Redis and keeps retrying: ${messageOf(this.#lastError)}`);
  }

  #onError(error: unknown): void {
    this.#lastError = error;
  }

  #ping(): void {
    for (const connection of [this.#hearer, this.#speaker]) {
      if (connection.status !== 'ready') continue;
      const stopWatching = this.#cutUnlessAnswered(connection);
      connection
        .ping()
        .catch((error) => this.#onError(error))
        .finally(stopWatching);
    }
    if (this.isOpen) this.#parts.events.opened(); // retry texts that failed without a disconnect
  }
}

/** Resolves when the connection is closed. Between two connection attempts there is nothing to wait for, and ioredis emits no `end`. */
async function disconnect(connection: Redis): Promise<void> {
  if (!['connecting', 'connect', 'ready'].includes(connection.status)) {
    connection.disconnect();
    return;
  }
  await new Promise<void>((resolve) => {
    connection.once('end', () => resolve());
    connection.disconnect();
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
