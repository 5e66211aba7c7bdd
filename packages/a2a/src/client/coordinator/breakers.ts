/** The breakers of a coordinator: which of its agents are asked at all. */
import type { Clock } from '../../protocol/clock.js';
import { A2ACircuitOpenError, isA2AError } from '../../protocol/errors.js';
import type { ClientInterceptor } from '../call.js';
import type { BreakerOptions } from '../resilience/circuit-breaker.js';

export interface BreakerHealth {
  readonly healthy: boolean;
  readonly consecutiveFailures: number;
  /** Milliseconds since the epoch. */
  readonly lastFailure: number | undefined;
  readonly openUntil: number | undefined;
}

export interface Breakers {
  readonly interceptor: ClientInterceptor;
  health(key: string): BreakerHealth;
  /** Whether a call would be let through now. */
  allows(key: string): boolean;
}

// SEAM: replaced by createBreakers of resilience/circuit-breaker.
export function createBreakers({ failures = 3, openMs = 30_000 }: BreakerOptions, { clock }: { clock: Clock }): Breakers {
  const states = new Map<string, { count: number; last: number | undefined; until: number | undefined }>();
  const of = (key: string) => states.get(key) ?? { count: 0, last: undefined, until: undefined };
  const allows = (key: string): boolean => (of(key).until ?? 0) <= clock.now();
  return {
    allows,
    health(key) {
      const { count, last, until } = of(key);
      return { healthy: allows(key), consecutiveFailures: count, lastFailure: last, openUntil: until };
    },
    interceptor: (next) => async (call) => {
      const { key } = call.peer;
      if (!allows(key)) throw new A2ACircuitOpenError('open');
      try {
        const reply = await next(call);
        states.delete(key);
        return reply;
      } catch (error) {
        if (!isA2AError(error) || !['AGENT_UNAVAILABLE', 'TASK_TIMEOUT'].includes(error.reason)) throw error;
        const count = of(key).count + 1;
        states.set(key, { count, last: clock.now(), until: count >= failures ? clock.now() + openMs : undefined });
        throw error;
      }
    },
  };
}

/** Asks everybody, always. */
export const noBreakers: Breakers = {
  interceptor: (next) => next,
  health: () => ({ healthy: true, consecutiveFailures: 0, lastFailure: undefined, openUntil: undefined }),
  allows: () => true,
};
