/** The retry budget of one logical call, shared by retry, cold start and reconnect. Without it their retry counts would multiply (C19). */
import type { Clock } from '../../protocol/clock.js';

/** The share of one layer. It is counted per logical call, even if outer layers call the layer repeatedly. */
interface RetryShare {
  readonly layer: 'retry' | 'activation';
  readonly max: number;
}

export interface CallBudget {
  /** Milliseconds since the epoch. undefined: no deadline. */
  readonly deadline: number | undefined;
  /** Milliseconds until the deadline. Infinity without one; 0 or less after it. */
  leftMs(): number;
  /** Retries so far, of all layers or of one. */
  retries(layer?: RetryShare['layer']): number;
  /** Takes one retry from the budget. Returns false if none is left or the deadline has passed. */
  takeRetry(share?: RetryShare): boolean;
}

export interface BudgetOptions {
  readonly clock: Clock;
  readonly deadline?: number | undefined;
  /** Maximum retries over all layers. Default: no limit. */
  readonly maxRetries?: number | undefined;
}

export function createBudget(options: BudgetOptions): CallBudget {
  return new Budget(options);
}

/** Returns the same budget with an earlier deadline. A later deadline changes nothing. */
export function narrowBudget(budget: CallBudget, deadline: number, clock: Clock): CallBudget {
  return budget.deadline !== undefined && budget.deadline <= deadline ? budget : new NarrowedBudget(budget, deadline, clock);
}

/** Returns the same deadline without retries. */
export function withoutRetries(budget: CallBudget): CallBudget {
  return {
    deadline: budget.deadline,
    leftMs: () => budget.leftMs(),
    retries: (layer) => budget.retries(layer),
    takeRetry: () => false,
  };
}

/** Classes, because every call creates one: methods exist once, while closures would be allocated per call. */
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
