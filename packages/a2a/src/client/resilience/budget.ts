/** What one logical call may spend, whoever tries again: retry, cold start, reconnect. Without it their numbers would multiply (C19). */
import type { Clock } from '../../protocol/clock.js';

/** What one layer may take of it: its count is per logical call too, however often the layers around it come back. */
interface RetryShare {
  readonly layer: 'retry' | 'activation';
  readonly max: number;
}

export interface CallBudget {
  /** Milliseconds since the epoch; undefined: none. */
  readonly deadline: number | undefined;
  /** Milliseconds until the deadline, Infinity without one; at most 0 when it has passed. */
  leftMs(): number;
  /** Tries after the first, whoever made them; all of them or those of one layer. */
  retries(layer?: RetryShare['layer']): number;
  /** Takes one further try out of the budget; false when there is none left or the deadline has passed. */
  takeRetry(share?: RetryShare): boolean;
}

export interface BudgetOptions {
  readonly clock: Clock;
  readonly deadline?: number | undefined;
  /** Tries after the first, over all layers. Default: no limit of its own. */
  readonly maxRetries?: number | undefined;
}

export function createBudget(options: BudgetOptions): CallBudget {
  return new Budget(options);
}

/** The same budget with an earlier end; a later one changes nothing. */
export function narrowBudget(budget: CallBudget, deadline: number, clock: Clock): CallBudget {
  return budget.deadline !== undefined && budget.deadline <= deadline ? budget : new NarrowedBudget(budget, deadline, clock);
}

/** The same time, and one try. */
export function withoutRetries(budget: CallBudget): CallBudget {
  return {
    deadline: budget.deadline,
    leftMs: () => budget.leftMs(),
    retries: (layer) => budget.retries(layer),
    takeRetry: () => false,
  };
}

/** Classes, because every call has one: methods are there once, functions of an object would be made for each. */
class Budget implements CallBudget {
  readonly deadline: number | undefined;
  readonly #clock: Clock;
  readonly #maxRetries: number;
  readonly #shares = { retry: 0, activation: 0 };
  #taken = 0;

  constructor({ clock, deadline, maxRetries = Number.POSITIVE_INFINITY }: BudgetOptions) {
    this.deadline = deadline;
    this.#clock = clock;
    this.#maxRetries = maxRetries;
  }

  leftMs(): number {
    return this.deadline === undefined ? Number.POSITIVE_INFINITY : this.deadline - this.#clock.now();
  }

  retries(layer?: RetryShare['layer']): number {
    return layer === undefined ? this.#taken : this.#shares[layer];
  }

  takeRetry(share?: RetryShare): boolean {
    if (this.#taken >= this.#maxRetries || this.leftMs() <= 0) return false;
    if (share !== undefined && this.#shares[share.layer] >= share.max) return false;
    this.#taken += 1;
    if (share !== undefined) this.#shares[share.layer] += 1;
    return true;
  }
}

class NarrowedBudget implements CallBudget {
  readonly deadline: number;
  readonly #budget: CallBudget;
  readonly #clock: Clock;

  constructor(budget: CallBudget, deadline: number, clock: Clock) {
    this.deadline = deadline;
    this.#budget = budget;
    this.#clock = clock;
  }

  leftMs(): number {
    return this.deadline - this.#clock.now();
  }

  retries(layer?: RetryShare['layer']): number {
    return this.#budget.retries(layer);
  }

  takeRetry(share?: RetryShare): boolean {
    return this.leftMs() > 0 && this.#budget.takeRetry(share);
  }
}
