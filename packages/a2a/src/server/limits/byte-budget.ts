/** Bounds the bytes that hosts hold for callers: bodies being read and replies that wait, per caller and in total (D58). */
import { A2AError } from '../../protocol/errors.js';
import type { HeldBytes } from '../../wire/http.js';
import type { Call } from '../call.js';
import { type LargeTurn, LargeWork } from './large-work.js';
import { type Refusal, type Share, type ShareBounds, ShareCounter } from './share-counter.js';

const RETRY_AFTER_MS = 1_000;

/** A shorter reply is written at once and counts only if its client does not read. */
const SMALL_REPLY_CHARS = 64 * 1024;

/** One per host. Bodies and replies have separate shares, so that a caller that reads a long reply can still send messages. */
export class ByteBudget {
  readonly #bodies: ShareCounter;
  readonly #replies: ShareCounter;
  readonly #total: number;
  readonly #work = new LargeWork();

  constructor(bounds: ShareBounds) {
    this.#bodies = new ShareCounter(bounds);
    this.#replies = new ShareCounter(bounds);
    this.#total = bounds.total;
  }

  /** The bytes that are held for all callers. */
  get total(): number {
    return this.#bodies.total + this.#replies.total;
  }

  /** Counts the body of one request. */
  bodyOf(share: Share): HeldBody {
    return new Held(this, this.#bodies, share);
  }

  /** Counts the reply to one request. */
  replyTo(share: Share): HeldBytes {
    return new Held(this, this.#replies, share);
  }

  /** Resolves when a body of this size may be processed. */
  turnOf(share: Share, bytes: number): Promise<LargeTurn> {
    return this.#work.enter(share, bytes);
  }

  /** Whether the total has no room for this much more. */
  isFullFor(more: number): boolean {
    return this.total + more > this.#total;
  }
}

/** The body of one request. If it is large, it gets its turn before it is decoded. */
export interface HeldBody extends HeldBytes {
  turn(bytes: number): Promise<void>;
  /** The turn that was taken, if any; the owner of the request ends it. */
  readonly taken: LargeTurn | undefined;
}

class Held implements HeldBody {
  bytes = 0;
  taken: LargeTurn | undefined;
  readonly #budget: ByteBudget;
  readonly #counter: ShareCounter;
  readonly #share: Share;

  constructor(budget: ByteBudget, counter: ShareCounter, share: Share) {
    this.#budget = budget;
    this.#counter = counter;
    this.#share = share;
  }

  reserve(bytes: number): void {
    const more = Math.max(0, bytes - this.bytes);
    const refusal = this.#refusalOf(more);
    if (refusal !== undefined) throw REFUSALS[refusal]();
    if (more > 0) this.set(bytes);
  }

  set(bytes: number): void {
    const more = bytes - this.bytes;
    if (more === 0) return;
    if (more > 0) this.#counter.add(this.#share, more);
    else this.#counter.remove(this.#share, -more);
    this.bytes = bytes;
  }

  async turn(bytes: number): Promise<void> {
    this.taken ??= await this.#budget.turnOf(this.#share, bytes);
  }

  /** What is larger than a bound is admitted when nothing else counts against that bound: otherwise it could never be served. */
  #refusalOf(more: number): Refusal | undefined {
    const counter = this.#counter;
    if (counter.refusalOf(this.#share, more) === 'caller' && counter.usedBy(this.#share) > this.bytes) return 'caller';
    return this.#budget.isFullFor(more) && this.#budget.total > this.bytes ? 'total' : undefined;
  }
}

const REFUSALS: Readonly<Record<Refusal, () => A2AError>> = {
  caller: () =>
    new A2AError('RATE_LIMITED', 'Too many bytes of your requests, or of replies that you do not read, are in memory; retry later', {
      retryAfterMs: RETRY_AFTER_MS,
    }),
  total: () =>
    new A2AError('AGENT_UNAVAILABLE', 'Too many bytes of requests and replies are in memory; retry later', {
      retryAfterMs: RETRY_AFTER_MS,
    }),
};

/** Before a task is loaded for its caller: refuses a caller whose bytes already exceed its share. */
export function checkRoom({ held }: Pick<Call, 'held'>): void {
  held?.reserve(0);
}

/** Before the text of a reply is created: reserves its length, so that the replies of one caller cannot fill the memory. */
export function reserveReply({ held }: Pick<Call, 'held'>, chars: number): void {
  if (chars > SMALL_REPLY_CHARS) held?.reserve(chars);
}

/** The same for a call that has already taken effect, and must not be refused any more. */
export function countReply({ held }: Pick<Call, 'held'>, chars: number): void {
  if (chars > SMALL_REPLY_CHARS) held?.set(chars);
}
