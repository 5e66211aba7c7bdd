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

export function createBudget({ clock, deadline, maxRetries = Number.POSITIVE_INFINITY }: BudgetOptions): CallBudget {
  let taken = 0;
  const shares = { retry: 0, activation: 0 };
  const leftMs = (): number => (deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now());
  return {
    deadline,
    leftMs,
    retries: (layer) => (layer === undefined ? taken : shares[layer]),
    takeRetry(share) {
      if (taken >= maxRetries || leftMs() <= 0) return false;
      if (share !== undefined && shares[share.layer] >= share.max) return false;
      taken += 1;
      if (share !== undefined) shares[share.layer] += 1;
      return true;
    },
  };
}

/** The same budget with an earlier end; a later one changes nothing. */
export function narrowBudget(budget: CallBudget, deadline: number, clock: Clock): CallBudget {
  if (budget.deadline !== undefined && budget.deadline <= deadline) return budget;
  const leftMs = (): number => deadline - clock.now();
  return {
    deadline,
    leftMs,
    retries: (layer) => budget.retries(layer),
    takeRetry: (share) => leftMs() > 0 && budget.takeRetry(share),
  };
}
