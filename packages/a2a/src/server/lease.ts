/**
 * That this node lives, as the store knows it: what a node owns without that would be anybody's. It beats again and again, and knows by
 * its own reckoning until when it surely holds: counted from before the beat was sent.
 */

import type { ErrorContext } from '../platform/logger.js';
import { A2AError, toA2AError } from '../protocol/errors.js';
import type { TaskStore } from '../stores/store.js';
import { inTime, noAnswer } from './in-time.js';
import type { NodeClock } from './node-clock.js';

export interface LeaseParts {
  readonly node: string;
  readonly leaseMs: number;
  readonly store: TaskStore;
  readonly clock: NodeClock;
  report(error: A2AError, where: ErrorContext): void;
}

/** Who has to know what becomes of it. */
export interface LeaseHolder {
  /** It was renewed, as it is every few seconds. */
  onBeat(): void;
  /** It had run out and is held again: others may have taken over what runs here. Looked at before anything new is begun. */
  onReturn(): Promise<void>;
  /** It ran out, and the store gives no answer: whether what runs here is still ours cannot be known. */
  onSilence(error: A2AError): void;
  /** It ran out, and another process has the name: nothing here is ours any more. */
  onTaken(): void;
}

/** A lease outlives four beats that were missed. */
const BEATS_PER_LEASE = 5;
/** After a beat that failed: the sooner others hear from us, the fewer runs change hands. */
const RETRY_MS = 1_000;
/** So long after an outage others may still be on their way back. */
const BEATS_OF_GRACE = 2;
const BACKGROUND = { background: true };

export class Lease {
  readonly #parts: LeaseParts;
  /** Tells this process from another that was started under the same name. */
  readonly #incarnation = crypto.randomUUID();
  #holder: LeaseHolder | undefined;
  /** When the last good beat was sent; undefined before the first, and when the name is lost. */
  #since: number | undefined;
  /** The store was away: others may still be on their way back. */
  #isInGrace = false;
  /** It gave no answer since the last good beat. */
  #hadSilence = false;
  #isTaken = false;
  #wasAsked = false;
  #hasEnded = false;
  #asking: Promise<void> | undefined;
  /** Answers to questions before this one come too late. */
  #question = 0;
  #takeBackBeat = (): void => {};
  #takeBackLapse = (): void => {};
  #takeBackGrace = (): void => {};

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** The time between two beats. */
  get beatMs(): number {
    return this.#parts.leaseMs / BEATS_PER_LEASE;
  }

  /** No longer than we surely hold it. Where the clock was set back behind the last beat nothing is sure either. */
  get isHeld(): boolean {
    if (this.#since === undefined || this.#hasEnded) return false;
    const agoMs = this.#parts.clock.own() - this.#since;
    return agoMs >= 0 && agoMs < this.#parts.leaseMs;
  }

  /** Whether tasks of nodes that seem dead may be taken: after an outage all seem so until they have beaten again. */
  get mayTakeOver(): boolean {
    return this.isHeld && !this.#isInGrace;
  }

  get readiness(): 'starting' | 'ready' | 'unavailable' {
    if (this.isHeld) return 'ready';
    return this.#wasAsked ? 'unavailable' : 'starting';
  }

  /** Beats from now on, until `end`. */
  start(holder: LeaseHolder): void {
    this.#holder = holder;
    void this.#goOn();
  }

  /** Takes or prolongs it; rejects when the store can not be asked, or when another process lives under this name. */
  hold(): Promise<void> {
    if (this.#hasEnded) return Promise.reject(new A2AError('AGENT_UNAVAILABLE', 'the agent is shutting down', { retryAfterMs: 1_000 }));
    this.#asking ??= this.#ask().finally(() => {
      this.#wasAsked = true;
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Others need not wait for it to run out. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#takeBackBeat();
    this.#takeBackLapse();
    this.#takeBackGrace();
    await this.#asking?.catch(() => {});
    if (this.#since !== undefined) await this.#beat(0);
  }

  /** Never rejects: what failed is tried again. */
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
    if (error !== cause) this.#parts.report(error, {}); // what the store threw was reported there
    return false;
  }

  async #ask(): Promise<void> {
    const { clock, leaseMs } = this.#parts;
    this.#question += 1;
    try {
      await inTime(clock, this.#renew(this.#question), leaseMs); // later, the answer would prove nothing
    } catch (error) {
      this.#question += 1;
      this.#hadSilence ||= !this.#isTaken;
      throw error;
    }
  }

  async #renew(question: number): Promise<void> {
    const { clock, leaseMs } = this.#parts;
    const sentAt = clock.own();
    const answer = await this.#beat(leaseMs);
    if (question !== this.#question) return;
    if (answer === 'taken') return this.#lose();
    if (clock.own() - sentAt >= leaseMs) throw noAnswer(); // we slept in between: this one is as old as that
    this.#isTaken = false;
    const hasLapsed = this.#since !== undefined && !this.isHeld;
    if (hasLapsed) await this.#holder?.onReturn();
    if (question !== this.#question) return;
    if (hasLapsed || (this.#since === undefined && this.#hadSilence)) this.#beginGrace();
    this.#hadSilence = false;
    this.#keep(sentAt);
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

  /** Asked once more, and for one beat longer: whoever slept through it, and not the store, is answered. */
  #lapse(): void {
    this.hold().catch(() => {}); // told to the next who asks
    const giveUp = (): void => {
      if (!this.isHeld) this.#holder?.onSilence(noAnswer());
    };
    this.#takeBackLapse = this.#parts.clock.after(this.beatMs, giveUp, BACKGROUND);
  }

  #lose(): never {
    const { node, report } = this.#parts;
    const error = new A2AError('AGENT_UNAVAILABLE', `another process runs as node ${node}`, { retryAfterMs: 1_000 });
    if (!this.#isTaken) report(error, {});
    this.#isTaken = true;
    if (this.#since !== undefined) this.#holder?.onTaken();
    this.#since = undefined;
    throw error;
  }

  async #beat(leaseMs: number): Promise<'ok' | 'taken'> {
    const { node, store, clock } = this.#parts;
    const now = await clock.measure(store);
    return store.beat(node, this.#incarnation, now + leaseMs);
  }
}
