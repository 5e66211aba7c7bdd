/** What one logical call may spend, whoever tries again: retry, cold start, reconnect. Without it their numbers would multiply (C19). */
import type { Clock } from '../../protocol/clock.js';

export interface CallBudget {
  /** Milliseconds since the epoch; undefined: none. */
  readonly deadline: number | undefined;
  /** Milliseconds until the deadline, Infinity without one; at most 0 when it has passed. */
  leftMs(): number;
  /** Takes one further try out of the budget; false when there is none left or the deadline has passed. */
  takeRetry(): boolean;
}

export interface BudgetOptions {
  readonly clock: Clock;
  readonly deadline?: number | undefined;
  /** Tries after the first, over all layers. Default: no limit of its own. */
  readonly maxRetries?: number | undefined;
}

export function createBudget({ clock, deadline, maxRetries = Number.POSITIVE_INFINITY }: BudgetOptions): CallBudget {
  let retries = maxRetries;
  const leftMs = (): number => (deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now());
  return {
    deadline,
    leftMs,
    takeRetry() {
      if (retries <= 0 || leftMs() <= 0) return false;
      retries -= 1;
      return true;
    },
  };
}
