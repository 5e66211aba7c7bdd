/** How often a run comes back to its stream, and how long it waits before. */
import type { RunSettings } from '../calling.js';
import { backoffDelay } from '../resilience/backoff.js';
import { type CallBudget, createBudget, withoutRetries } from '../resilience/budget.js';
import type { ReconnectOptions } from './run-options.js';

export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly delayMs: number;
}

/** What the next attempt has to know of the failure before it. */
export interface FailedAttempt {
  /** How long the peer asks to be left alone. */
  readonly askedMs: number | undefined;
  /** The agent was not reached, or did not agree to a stream. */
  readonly wasRefused: boolean;
}

export class Attempts {
  readonly #options: Required<ReconnectOptions>;
  readonly #random: () => number;
  #used = 0;
  #refused = 0;
  /** How many news there were when the attempts were last given back without any. */
  #returnedAt: number | undefined;

  /** What the call of an attempt may try again by itself: nothing, so that one attempt is one request (C19). */
  readonly budget: CallBudget;

  constructor(options: Required<ReconnectOptions>, { clock, random }: Pick<RunSettings, 'clock' | 'random'>) {
    this.#options = options;
    this.#random = random;
    this.budget = withoutRetries(createBudget({ clock }));
  }

  /** Since the last progress; over all when progress does not refill. */
  get used(): number {
    return this.#used;
  }

  /** Something new came: all attempts are there again, unless progress does not give them back. */
  refill(): void {
    if (!this.#options.refillOnProgress) return;
    this.#used = 0;
    this.#refused = 0;
  }

  /** Gives all attempts back to a run whose agent was away; once, until the run has more news. False: they stay spent. */
  returnTo(news: number): boolean {
    if (this.#returnedAt === news) return false;
    this.#returnedAt = news;
    this.refill();
    return this.#used === 0;
  }

  /** undefined: there is none left. A peer that asks for patience gets it, up to the longest delay. */
  next({ askedMs = 0, wasRefused }: FailedAttempt): Attempt | undefined {
    const { max, maxMs } = this.#options;
    if (wasRefused && this.#used > 0) this.#refused += 1;
    if (this.#used >= max) return undefined;
    const planned = backoffDelay(this.#options, this.#used, this.#random);
    this.#used += 1;
    return { attempt: this.#used, delayMs: Math.max(planned, Math.min(askedMs, maxMs)) };
  }

  /** There were attempts, and none of them got a stream. */
  get wereAllRefused(): boolean {
    return this.#used > 0 && this.#refused >= this.#used;
  }
}
