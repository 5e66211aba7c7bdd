/**
 * The connection that listens and notifies. It is taken to hear only when a notice that another connection sent has arrived while this one
 * was idle: a pooler that lends connections for one transaction passes on answers, and never such a notice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import type { Link, LinkEvents } from '../linked.js';
import { beatText } from '../move-text.js';
import { Connection, loadDriver } from './connection.js';

export interface Pace {
  /** How long a test notice may take until nothing is taken to be heard. */
  readonly testMs: number;
  /** How often it is tested again while nothing is heard. */
  readonly retestMs: number;
  /** The same where the test itself could not be made. */
  readonly untestedMs: number;
  /** How often it looks whether anything was heard, and says something to itself if not; the second time, the connection counts as dead. */
  readonly quietMs: number;
  /** How long the server may take to answer before the connection is cut. */
  readonly patienceMs: number;
  /** Between attempts to connect: from this, doubled each time, to the longest. */
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

/** After so many attempts in a row that failed, somebody is told. */
const PATIENT_ATTEMPTS = 5;

const NOTIFY = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

const DEAF =
  'no notice arrives on the connection that listens to PostgreSQL, so tasks of other nodes are polled: give `listenUrl` a URL that leads ' +
  'straight to the server where there is a pooler that lends connections for one transaction (PgBouncer in transaction mode) between';

export class PostgresLink implements Link {
  readonly #parts: PostgresLinkParts;
  readonly #pace: Pace;
  readonly #closing = new AbortController();
  readonly #life: Promise<void>;
  #connection: Connection | undefined;
  /** The text that shows, when it arrives, that notices do. */
  #test: string | undefined;
  #hears = false;
  /** How many notices arrived, of whomever. */
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
      // Refused by a server that lives: a standby, or a queue that somebody who listens inside a transaction has filled.
      if (!connection.lost.aborted) this.#tellOnce(`PostgreSQL refuses notices, so other nodes have to poll: ${messageOf(cause)}`);
      throw cause;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#life;
  }

  /** Never rejects. */
  async #live(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const cause = await this.#session();
      if (this.#closing.signal.aborted) return;
      this.#setHears(false);
      this.#attempts += 1;
      if (this.#attempts === PATIENT_ATTEMPTS) {
        this.#parts.events.warn(`the bus cannot reach PostgreSQL, and tries again and again: ${messageOf(cause)}`);
      }
      await pause(this.#retryMs(), undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    }
  }

  /** Somewhat at random: many nodes that lost one server come back one after the other. */
  #retryMs(): number {
    const { retryMs, longestRetryMs } = this.#pace;
    return Math.min(longestRetryMs, retryMs * 2 ** (this.#attempts - 1)) * (0.5 + Math.random() / 2);
  }

  /** From connecting to the loss of the connection; answers why it ended. */
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

  /** Ends only by throwing: when the connection is lost, or when this link is closed. */
  async #watch(connection: Connection): Promise<never> {
    const { channel, events } = this.#parts;
    const signal = AbortSignal.any([connection.lost, this.#closing.signal]);
    for (let before = this.#heard, hasBeaten = false; ; before = this.#heard) {
      while (!this.#hears) await this.#testHearing(connection, signal);
      await pause(this.#pace.quietMs, undefined, { signal, ref: false });
      // Silence may be peace or death: who hears itself lives.
      const isQuiet = this.#heard === before;
      if (isQuiet && hasBeaten) throw new Error('nothing is heard any more');
      if (isQuiet) await connection.query(NOTIFY, [channel, [beatText(events.sender)]]);
      hasBeaten = isQuiet;
      events.opened(); // what the server refused may go now
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
    if (isSent) this.#tellOnce(DEAF);
    await connection.query(`UNLISTEN ${channel}`); // a pooler would give our notices to whoever uses that connection next
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
