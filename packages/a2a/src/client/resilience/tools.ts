import type { Logger } from '../../platform/logger.js';
import type { Clock } from '../../protocol/clock.js';

/** What everything that tries again is made of: time, chance, and somebody to tell. */
export interface ResilienceTools {
  readonly clock: Clock;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  readonly logger: Logger;
}
