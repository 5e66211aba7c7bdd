/**
 * The lease of this node in the store: without it, any node may take over this node's tasks. It is renewed by heartbeats. The node computes
 * by its own clock how long it surely holds the lease, counted from before the heartbeat was sent. If the store can renew the lease from
 * another thread (D59), this node sends a heartbeat only to acquire the lease, and when a renewal is overdue.
 */

import { inTime, noAnswer } from '../../platform/in-time.js';
import type { ErrorContext, Logger } from '../../platform/logger.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { TaskStore } from '../../stores/store.js';
import type { NodeClock } from './node-clock.js';
import { StoreHeartbeat } from './store-heartbeat.js';

export interface LeaseParts {
  readonly node: string;
  readonly leaseMs: number;
  readonly stallMs: number;
  readonly logger: Logger;
  readonly store: TaskStore;
  readonly clock: NodeClock;
  report(error: A2AError, where: ErrorContext): void;
}

/** Receives the changes of the lease. */
export interface LeaseHolder {
  /** The lease was renewed; happens every few seconds. */
  onBeat(): void;
  /** The lease had expired and is held again: other nodes may have taken over our tasks. Awaited before new work begins. */
  onReturn(): Promise<void>;
  /** The lease expired and the store does not answer: it is unknown whether our tasks are still ours. */
  onSilence(error: A2AError): void;
  /** The lease expired and another process uses this node's name: no task here is ours any more. */
  onTaken(): void;
}

/** A lease survives four missed heartbeats. */
const BEATS_PER_LEASE = 5;
/** Retry delay after a failed heartbeat. The earlier other nodes see us, the fewer tasks they take over. */
const RETRY_MS = 1_000;
/** For this many heartbeats after an outage, other nodes may not have reconnected yet. */
const BEATS_OF_GRACE = 2;
const BACKGROUND = { background: true };

export class Lease {
  readonly #parts: LeaseParts;
  /** Distinguishes this process from another one that was started under the same node name. */
  readonly #incarnation = crypto.randomUUID();
  readonly #outside: StoreHeartbeat;
  #holder: LeaseHolder | undefined;
  /** When the last successful heartbeat was sent; undefined before the first, and after the name was lost. */
  #since: number | undefined;
  /** After an outage of the store: other nodes may not have reconnected yet. */
  #isInGrace = false;
  /** The store did not answer at some point since the last successful heartbeat. */
  #hadSilence = false;
  #isTaken = false;
  #wasAsked = false;
  #hasEnded = false;
  #asking: Promise<void> | undefined;
  /** Number of the current request; answers to earlier ones are ignored. */
  #question = 0;
  #takeBackBeat = (): void => {};
  #takeBackLapse = (): void => {};
  #takeBackGrace = (): void => {};

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    const { node, leaseMs, stallMs, store, logger } = parts;
    this.#outside = new StoreHeartbeat({ node, incarnation: this.#incarnation, leaseMs, beatMs: this.beatMs, stallMs, store, logger });
  }

  /** Milliseconds between two heartbeats. */
  get beatMs(): number {
    return this.#parts.leaseMs / BEATS_PER_LEASE;
  }

  /** Whether the lease is surely held. If the clock was set back to before the last heartbeat, it is not sure. */
  get isHeld(): boolean {
    if (this.#since === undefined || this.#hasEnded) return false;
    const { clock, leaseMs } = this.#parts;
    const agoMs = clock.own() - this.#since;
    return (agoMs >= 0 && agoMs < leaseMs) || this.#outside.agoMs < leaseMs;
  }

  /** Whether tasks of dead nodes may be taken over. After an outage all nodes look dead until their next heartbeat. */
  get mayTakeOver(): boolean {
    return this.isHeld && !this.#isInGrace;
  }

  get readiness(): 'starting' | 'ready' | 'unavailable' {
    if (this.isHeld) return 'ready';
    return this.#wasAsked ? 'unavailable' : 'starting';
  }

  /** Sends heartbeats until `end`. */
  start(holder: LeaseHolder): void {
    this.#holder = holder;
    void this.#goOn();
  }

  /** Acquires or renews the lease. Rejects when the store cannot be reached, or when another living process uses this node name. */
  hold(): Promise<void> {
    if (this.#hasEnded) return Promise.reject(new A2AError('AGENT_UNAVAILABLE', 'the agent is shutting down', { retryAfterMs: 1_000 }));
    this.#asking ??= this.#ask().finally(() => {
      this.#wasAsked = true;
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Ends the lease, so that other nodes need not wait until it expires. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#takeBackBeat();
    this.#takeBackLapse();
    this.#takeBackGrace();
    await Promise.all([this.#asking?.catch(() => {}), this.#outside.stop()]);
    if (this.#since !== undefined) await this.#beat(await this.#parts.clock.measure(this.#parts.store));
  }

  /** Never rejects: a failed heartbeat is retried. */
  async #goOn(): Promise<void> {
    const isGood = await this.hold().then(
      () => true,
      (cause) => this.#note(cause),
    );
    if (this.#hasEnded) return;
    const delayMs = isGood ? this.beatMs : Math.min(RETRY_MS, this.beatMs);
    this.#takeBackBeat = this.#parts.clock.after(delayMs, () => void this.#goOn(), BACKGROUND);
    if (isGood) this.#holder?.onBeat();
  }

  #note(cause: unknown): false {
    const error = toA2AError(cause);
    if (error !== cause) this.#parts.report(error, {}); // errors of the store are already reported
    return false;
  }

  async #ask(): Promise<void> {
    const { clock, leaseMs } = this.#parts;
    this.#question += 1;
    try {
      await inTime(clock, this.#renew(this.#question), leaseMs); // a later answer would prove nothing
    } catch (error) {
      this.#question += 1;
      this.#hadSilence ||= !this.#isTaken;
      throw error;
    }
  }

  async #renew(question: number): Promise<void> {
    const { clock, leaseMs, store } = this.#parts;
    const sentAt = clock.own();
    const now = await clock.measure(store);
    if (question !== this.#question || this.#isRenewedOutside()) return;
    if (clock.own() - sentAt >= leaseMs) throw noAnswer(); // that time is so old that a heartbeat with it would end the lease
    const answer = await this.#beat(now + leaseMs);
    if (question !== this.#question) return;
    if (answer === 'taken') return this.#lose();
    if (this.#isRenewedOutside()) return;
    if (clock.own() - sentAt >= leaseMs) throw noAnswer(); // the process was paused in between: the answer is that old
    this.#isTaken = false;
    const hasLapsed = this.#since !== undefined && !this.isHeld;
    if (hasLapsed) await this.#holder?.onReturn();
    if (question !== this.#question) return;
    if (hasLapsed || (this.#since === undefined && this.#hadSilence)) this.#beginGrace();
    this.#hadSilence = false;
    this.#keep(sentAt);
    if (!this.#hasEnded) this.#outside.renewed(clock.own() - sentAt);
  }

  /** Whether the other thread has renewed the lease without a gap, and is not overdue. */
  #isRenewedOutside(): boolean {
    if (!this.#outside.isInTime || !this.#isKeptOutside()) return false;
    this.#hadSilence = false;
    return true;
  }

  /** Whether the other thread has renewed the lease without a gap. If so, the lease counts from its last renewal. */
  #isKeptOutside(): boolean {
    const { agoMs } = this.#outside;
    if (this.#since === undefined || agoMs >= this.#parts.leaseMs) return false;
    this.#keep(this.#parts.clock.own() - agoMs);
    return true;
  }

  #beginGrace(): void {
    this.#isInGrace = true;
    this.#takeBackGrace();
    const end = (): void => {
      this.#isInGrace = false;
    };
    if (!this.#hasEnded) this.#takeBackGrace = this.#parts.clock.after(BEATS_OF_GRACE * this.beatMs, end, BACKGROUND);
  }

  #keep(sentAt: number): void {
    const { clock, leaseMs } = this.#parts;
    this.#since = sentAt;
    this.#takeBackLapse();
    if (!this.#hasEnded) this.#takeBackLapse = clock.after(leaseMs - (clock.own() - sentAt), () => this.#lapse(), BACKGROUND);
  }

  /** Asks once more and waits one heartbeat longer: if this process was paused and the store is fine, it gets an answer. */
  #lapse(): void {
    if (this.#isKeptOutside()) return; // the event loop was blocked, or this node had not seen the last renewals
    this.hold().catch(() => {}); // the next caller of `hold` gets the error
    const giveUp = (): void => {
      if (!this.#isKeptOutside() && !this.isHeld) this.#holder?.onSilence(noAnswer());
    };
    this.#takeBackLapse = this.#parts.clock.after(this.beatMs, giveUp, BACKGROUND);
  }

  #lose(): never {
    const { node, report } = this.#parts;
    const text = `another process uses the node name ${node}; leave node unset, or wait until the lease of that process expires`;
    const error = new A2AError('AGENT_UNAVAILABLE', text, { retryAfterMs: 1_000 });
    if (!this.#isTaken) report(error, {});
    this.#isTaken = true;
    if (this.#since !== undefined) this.#holder?.onTaken();
    this.#since = undefined;
    throw error;
  }

  #beat(until: number): Promise<'ok' | 'taken'> {
    const { node, store } = this.#parts;
    return store.beat(node, this.#incarnation, until);
  }
}
