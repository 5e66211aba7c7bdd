/** How often a run comes back to its stream, and how long it waits before. */
import type { RunSettings } from '../calling.js';
import { backoffDelay } from '../resilience/backoff.js';
import { type CallBudget, createBudget } from '../resilience/budget.js';
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
  /** The agent did not even let the run in: it may be starting, and that takes longer than a broken line. */
  readonly wasRefused: boolean;
}

export class Attempts {
  readonly #options: Required<ReconnectOptions>;
  readonly #settings: Pick<RunSettings, 'clock' | 'random'>;
  #used = 0;
  #refused = 0;
  #budget: CallBudget;

  constructor(options: Required<ReconnectOptions>, settings: Pick<RunSettings, 'clock' | 'random'>) {
    this.#options = options;
    this.#settings = settings;
    this.#budget = createBudget({ clock: settings.clock });
  }

  /** Since the last progress; over all when progress does not refill. */
  get used(): number {
    return this.#used;
  }

  /** What the calls of all attempts may try again by themselves, together: else the numbers of both would multiply (C19). */
  get budget(): CallBudget {
    return this.#budget;
  }

  /** Something new came: all attempts are there again. */
  refill(): void {
    if (!this.#options.refillOnProgress || (this.#used === 0 && this.#budget.retries() === 0)) return;
    this.#used = 0;
    this.#refused = 0;
    this.#budget = createBudget({ clock: this.#settings.clock });
  }

  /**
   * undefined: there is none left. Each attempt in a row that was refused doubles the delay. A peer that asks for patience gets it. Both up to
   * the longest delay.
   */
  next({ askedMs = 0, wasRefused }: FailedAttempt): Attempt | undefined {
    const { max, maxMs } = this.#options;
    const { random } = this.#settings;
    if (this.#used >= max) return undefined;
    this.#refused = wasRefused && this.#used > 0 ? this.#refused + 1 : 0;
    const baseMs = backoffDelay(this.#options, this.#used, random);
    const planned = backoffDelay({ baseMs, factor: 2, maxMs, jitter: false }, this.#refused, random);
    this.#used += 1;
    return { attempt: this.#used, delayMs: Math.max(planned, Math.min(askedMs, maxMs)) };
  }
}
