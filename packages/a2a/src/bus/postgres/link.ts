/**
 * The connection that listens and notifies. It counts as receiving only after a notification from another connection has arrived while it
 * was idle. A pooler that lends connections per transaction passes on answers, but never such a notification.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import type { Link, LinkEvents } from '../linked.js';
import { beatText } from '../move-text.js';
import { Connection, loadDriver } from './connection.js';

export interface Pace {
  /** How long to wait for a test notification before the link counts as not receiving. */
  readonly testMs: number;
  /** Interval of the tests while nothing is received. */
  readonly retestMs: number;
  /** The same interval when the test notification could not be sent. */
  readonly untestedMs: number;
  /**
   * Interval of the silence check. If nothing was received, the link notifies itself; if nothing was received again, the connection counts
   * as dead.
   */
  readonly quietMs: number;
  /** Timeout of a statement; then the connection is destroyed. */
  readonly patienceMs: number;
  /** Backoff between connection attempts: starts at `retryMs`, doubles, and is limited to `longestRetryMs`. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

const PACE: Pace = {
  testMs: 2_000,
  retestMs: 30_000,
  untestedMs: 2_000,
  quietMs: 5_000,
  patienceMs: 5_000,
  retryMs: 100,
  longestRetryMs: 5_000,
};

export interface PostgresLinkParts {
  readonly config: ClientConfig;
  readonly channel: string;
  readonly pace: Partial<Pace>;
  readonly events: LinkEvents;
}

/** The operator is warned after this many failed attempts in a row. */
const PATIENT_ATTEMPTS = 5;

const NOTIFY = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

const NO_NOTIFICATIONS =
  'No notifications arrive on the connection that listens to PostgreSQL, so tasks of other nodes are polled. If a pooler that lends ' +
  'connections per transaction (PgBouncer in transaction mode) is in between, set `listenUrl` to a URL that leads directly to the server.';

export class PostgresLink implements Link {
  readonly #parts: PostgresLinkParts;
  readonly #pace: Pace;
  readonly #closing = new AbortController();
  readonly #life: Promise<void>;
  #connection: Connection | undefined;
  /** The text whose arrival proves that notifications arrive. */
  #test: string | undefined;
  #hears = false;
  /** The number of notifications received, from any sender. */
  #heard = 0;
  #attempts = 0;
  readonly #told = new Set<string>();

  constructor(parts: PostgresLinkParts) {
    this.#parts = parts;
    this.#pace = { ...PACE, ...parts.pace };
    this.#life = this.#live();
  }

  get isOpen(): boolean {
    return this.#connection !== undefined;
  }

  async send(texts: readonly string[]): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) throw new Error('not connected');
    try {
      await connection.query(NOTIFY, [this.#parts.channel, texts]);
    } catch (cause) {
      // Refused by a live server: a standby, or the notification queue is full because another session listens inside a long transaction.
      if (!connection.lost.aborted) this.#tellOnce(`PostgreSQL refuses notifications, so other nodes must poll: ${messageOf(cause)}`);
      throw cause;
    }
  }

  async close(): Promise<void> {
    // The sockets and timers of the link do not keep the process alive: without this timer it could exit before its agent has closed.
    const timer = setInterval(() => {}, this.#pace.patienceMs);
    this.#closing.abort();
    await this.#life;
    clearInterval(timer);
  }

  /** Never rejects. */
  async #live(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const cause = await this.#session();
      if (this.#closing.signal.aborted) return;
      this.#setHears(false);
      this.#attempts += 1;
      if (this.#attempts === PATIENT_ATTEMPTS) {
        this.#parts.events.warn(`The bus cannot reach PostgreSQL and keeps retrying: ${messageOf(cause)}`);
      }
      await pause(this.#retryMs(), undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    }
  }

  /** Jittered, so that nodes that lost the same server do not all return at once. */
  #retryMs(): number {
    const { retryMs, longestRetryMs } = this.#pace;
    return Math.min(longestRetryMs, retryMs * 2 ** (this.#attempts - 1)) * (0.5 + Math.random() / 2);
  }

  /** Lasts from the connect to the loss of the connection; returns the reason of its end. */
  async #session(): Promise<unknown> {
    let connection: Connection | undefined;
    try {
      connection = await this.#openListening();
      this.#connection = connection;
      this.#attempts = 0;
      this.#parts.events.opened();
      return await this.#watch(connection);
    } catch (cause) {
      return cause;
    } finally {
      this.#connection = undefined;
      if (this.#closing.signal.aborted) await connection?.end();
      else connection?.cut();
    }
  }

  async #openListening(): Promise<Connection> {
    const { config, channel } = this.#parts;
    const onNotice = (from: string, payload: string): void => (from === channel ? this.#onNotice(payload) : undefined);
    const connection = await Connection.open({ config, patienceMs: this.#pace.patienceMs, onNotice }, this.#closing.signal);
    try {
      await connection.query(`LISTEN ${loadDriver().escapeIdentifier(channel)}`);
      return connection;
    } catch (cause) {
      connection.cut();
      throw cause;
    }
  }

  #onNotice(payload: string): void {
    this.#heard += 1;
    if (payload === this.#test) this.#setHears(true);
    else this.#parts.events.heard(payload);
  }

  /** Ends only by throwing: when the connection is lost, or when the link is closed. */
  async #watch(connection: Connection): Promise<never> {
    const { channel, events } = this.#parts;
    const signal = AbortSignal.any([connection.lost, this.#closing.signal]);
    for (let before = this.#heard, hasBeaten = false; ; before = this.#heard) {
      while (!this.#hears) await this.#testHearing(connection, signal);
      await pause(this.#pace.quietMs, undefined, { signal, ref: false });
      // Silence may mean that nothing happened or that the connection is dead: a notification to itself decides.
      const isQuiet = this.#heard === before;
      if (isQuiet && hasBeaten) throw new Error('no notifications arrive any more');
      if (isQuiet) await connection.query(NOTIFY, [channel, [beatText(events.sender)]]);
      hasBeaten = isQuiet;
      events.opened(); // retry texts that the server refused
    }
  }

  async #testHearing(connection: Connection, signal: AbortSignal): Promise<void> {
    const { testMs, retestMs, untestedMs } = this.#pace;
    const channel = loadDriver().escapeIdentifier(this.#parts.channel);
    this.#test = beatText(this.#parts.events.sender, randomUUID());
    const isSent = await this.#notifyFromElsewhere(this.#test);
    if (isSent) await pause(testMs, undefined, { signal, ref: false });
    if (this.#hears) return;
    this.#setHears(false);
    if (isSent) this.#tellOnce(NO_NOTIFICATIONS);
    await connection.query(`UNLISTEN ${channel}`); // a pooler would deliver our notifications to the next user of that connection
    await pause(isSent ? retestMs : untestedMs, undefined, { signal, ref: false });
    await connection.query(`LISTEN ${channel}`);
  }

  async #notifyFromElsewhere(text: string): Promise<boolean> {
    const { config, channel } = this.#parts;
    try {
      const elsewhere = await Connection.open({ config, patienceMs: this.#pace.patienceMs }, this.#closing.signal);
      try {
        await elsewhere.query(NOTIFY, [channel, [text]]);
      } finally {
        await elsewhere.end();
      }
      return true;
    } catch {
      return false;
    }
  }

  #setHears(hears: boolean): void {
    this.#hears = hears;
    if (hears) this.#test = undefined;
    this.#parts.events.hearing(hears);
  }

  #tellOnce(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#parts.events.warn(text);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
