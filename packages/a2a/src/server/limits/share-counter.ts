/** Counts how much of one resource each caller uses, so that no caller can use all of it. */
import { A2AError } from '../../protocol/errors.js';

/** The caller for whom a request counts: a named caller, or the address of an anonymous one. */
export interface Share {
  readonly key: string;
  /**
   * Multiplies the bound per caller. 10 when a proxy may stand for many callers; Infinity when callers cannot be told apart, so that only
   * the total applies.
   */
  readonly factor: number;
}

/** All callers that cannot be told apart; only the totals limit them. */
export const COMMON_SHARE: Share = { key: '', factor: Number.POSITIVE_INFINITY };

/** The share of a caller without a request: anonymous callers (`''`) cannot be told apart then. */
export const shareOfCaller = (id: string): Share => (id === '' ? COMMON_SHARE : { key: `caller ${id}`, factor: 1 });

export interface ShareBounds {
  readonly total: number;
  readonly perCaller: number;
}

/** The bound that refuses an amount: the caller's own share, or the total of all callers. */
export type Refusal = 'caller' | 'total';

interface Amount {
  value: number;
}

const MIN_ENTRIES = 1_024;

export class ShareCounter {
  readonly #bounds: ShareBounds;
  /** Entries stay at 0 until there are many: deleting and adding a key for every call would rebuild the map again and again. */
  readonly #used = new Map<string, Amount>();
  #total = 0;
  #mostEntries = MIN_ENTRIES;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
  }

  /** The amount in use by all callers. */
  get total(): number {
    return this.#total;
  }

  /** The amount in use by one caller. */
  usedBy({ key }: Share): number {
    return this.#used.get(key)?.value ?? 0;
  }

  /** The bound that one more `amount` would exceed; undefined when there is room. */
  refusalOf(share: Share, amount = 1): Refusal | undefined {
    const { total } = this.#bounds;
    if (this.usedBy(share) + amount > this.#boundOf(share)) return 'caller';
    return this.#total + amount > total ? 'total' : undefined;
  }

  /** Throws RATE_LIMITED when the caller has used its share, and AGENT_UNAVAILABLE when all callers together have used the total. */
  check(share: Share, what: string): void {
    const refusal = this.refusalOf(share);
    if (refusal === undefined) return;
    const { total } = this.#bounds;
    if (refusal === 'total') throw new A2AError('AGENT_UNAVAILABLE', `the limit of ${total} ${what} is reached; retry later`, RETRY);
    const text = `you have ${this.usedBy(share)} ${what}, and the limit per caller is ${this.#boundOf(share)}; retry later`;
    throw new A2AError('RATE_LIMITED', text, RETRY);
  }

  /** Checks and counts one; call the result when it is over. */
  enter(share: Share, what: string): () => void {
    this.check(share, what);
    this.add(share);
    return () => this.remove(share);
  }

  /** One address never gets more than half of the total: the header of a proxy may be forged. */
  #boundOf({ factor }: Share): number {
    const { total, perCaller } = this.#bounds;
    if (factor === 1 || factor === Number.POSITIVE_INFINITY) return perCaller * factor;
    return Math.max(perCaller, Math.min(perCaller * factor, Math.floor(total / 2)));
  }

  /** Counts the amount, also beyond the bounds; call `refusalOf` before. */
  add({ key }: Share, amount = 1): void {
    this.#total += amount;
    const used = this.#used.get(key);
    if (used !== undefined) {
      used.value += amount;
      return;
    }
    if (this.#used.size >= this.#mostEntries) this.#forgetUnused();
    this.#used.set(key, { value: amount });
  }

  /** Gives back an amount that was added. */
  remove({ key }: Share, amount = 1): void {
    this.#total -= amount;
    const used = this.#used.get(key);
    if (used !== undefined) used.value -= amount;
  }

  /** Called when the number of callers has doubled, so that the total work stays linear. */
  #forgetUnused(): void {
    for (const [key, { value }] of this.#used) if (value === 0) this.#used.delete(key);
    this.#mostEntries = Math.max(MIN_ENTRIES, this.#used.size * 2);
  }
}

const RETRY = { retryAfterMs: 1_000 };
