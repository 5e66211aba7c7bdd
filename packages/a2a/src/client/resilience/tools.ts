import type { Logger } from '../../platform/logger.js';
import type { Clock } from '../../protocol/clock.js';

/** The dependencies of all retrying layers: clock, randomness and logger. */
export interface ResilienceTools {
  readonly clock: Clock;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  readonly logger: Logger;
}
