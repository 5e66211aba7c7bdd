/** The breakers of a coordinator: which of its agents are asked at all. */
import type { Breakers } from '../resilience/circuit-breaker.js';

/** Asks everybody, always. */
export const noBreakers: Breakers = {
  interceptor: (next) => next,
  health: (url) => ({ url, healthy: true, consecutiveFailures: 0, lastFailure: undefined, openUntil: undefined }),
  allows: () => true,
};
