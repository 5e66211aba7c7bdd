/** The circuit breakers of a coordinator. */
import type { Breakers } from '../resilience/circuit-breaker.js';

/** Never skips an agent. */
export const noBreakers: Breakers = {
  interceptor: (next) => next,
  health: (url) => ({ url, healthy: true, consecutiveFailures: 0, lastFailure: undefined, openUntil: undefined }),
  allows: () => true,
};
