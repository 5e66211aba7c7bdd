/** How often a run comes back to its stream, and how long it waits before. */
import { backoffDelay } from '../resilience/backoff.js';
import type { ReconnectOptions } from './run-options.js';

export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly delayMs: number;
}

export class Attempts {
  readonly #options: Required<ReconnectOptions>;
  readonly #random: () => number;
  #used = 0;

  constructor(options: Required<ReconnectOptions>, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  /** Since the last progress; over all when progress does not refill. */
  get used(): number {
    return this.#used;
  }

  /** Something new came: all attempts are there again. */
  refill(): void {
    if (this.#options.refillOnProgress) this.#used = 0;
  }

  /** undefined: there is none left. A peer that asks for patience gets it, up to the longest delay. */
  next(askedMs: number | undefined): Attempt | undefined {
    const { max, maxMs } = this.#options;
    if (this.#used >= max) return undefined;
    const planned = backoffDelay(this.#options, this.#used, this.#random);
    this.#used += 1;
    return { attempt: this.#used, delayMs: Math.max(planned, Math.min(askedMs ?? 0, maxMs)) };
  }
}
