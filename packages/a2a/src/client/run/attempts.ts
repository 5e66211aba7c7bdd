/** Limits how often a run reconnects to its stream, and computes the delays. */
import type { RunSettings } from '../calling.js';
import { backoffDelay } from '../resilience/backoff.js';
import { type CallBudget, createBudget, withoutRetries } from '../resilience/budget.js';
import type { ReconnectOptions } from './run-options.js';

export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly delayMs: number;
}

/** The facts about a failure that the next attempt needs. */
export interface FailedAttempt {
  /** The delay that the peer asks for. */
  readonly askedMs: number | undefined;
  /** The agent was not reached, or refused the stream. */
  readonly wasRefused: boolean;
}

export class Attempts {
  readonly #options: Required<ReconnectOptions>;
  readonly #random: () => number;
  #used = 0;
  #refused = 0;
  /** The value of `news` when the attempts were last returned without progress. */
  #returnedAt: number | undefined;

  /** The retry budget of an attempt: zero, so that one attempt is one request (C19). */
  readonly budget: CallBudget;

  constructor(options: Required<ReconnectOptions>, { clock, random }: Pick<RunSettings, 'clock' | 'random'>) {
    this.#options = options;
    this.#random = random;
    this.budget = withoutRetries(createBudget({ clock }));
  }

  /** Attempts since the last progress, or in total if progress does not refill them. */
  get used(): number {
    return this.#used;
  }

  /** Called after progress: restores all attempts, unless `refillOnProgress` is false. */
  refill(): void {
    if (!this.#options.refillOnProgress) return;
    this.#used = 0;
    this.#refused = 0;
  }

  /**
   * Restores all attempts of a run whose agent was down and is back. Works only once until the run makes progress. Returns false if they
   * stay used.
   */
  returnTo(news: number): boolean {
    if (this.#returnedAt === news) return false;
    this.#returnedAt = news;
    this.refill();
    return this.#used === 0;
  }

  /** Returns undefined if no attempt is left. Uses at least the delay that the peer asks for, up to `maxMs`. */
  next({ askedMs = 0, wasRefused }: FailedAttempt): Attempt | undefined {
    const { maxRetries, maxDelayMs } = this.#options;
    if (wasRefused && this.#used > 0) this.#refused += 1;
    if (this.#used >= maxRetries) return undefined;
    const planned = backoffDelay(this.#options, this.#used, this.#random);
    this.#used += 1;
    return { attempt: this.#used, delayMs: Math.max(planned, Math.min(askedMs, maxDelayMs)) };
  }

  /** True if there were attempts and every one was refused. */
  get wereAllRefused(): boolean {
    return this.#used > 0 && this.#refused >= this.#used;
  }
}
