/**
 * The retry loop of every layer that waits for a cold start. One deadline covers all attempts, including the one in flight, and all delays.
 */
import type { Clock } from '../../protocol/clock.js';
import { A2AActivationTimeoutError, isA2AError } from '../../protocol/errors.js';
import type { ActivationPolicy } from './activation-policy.js';
import { backoffDelay } from './backoff.js';
import type { CutOff } from './cut-off.js';
import { sleep } from './sleep.js';

export interface ColdLoop {
  readonly policy: ActivationPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** Whether an attempt in flight is aborted at the deadline. */
  readonly isCut: boolean;
  /** True if the error looks like a cold start and may be retried. */
  mayRetry(error: unknown): boolean;
  /** Takes one retry, to be made after this delay. Returns false if none is left. */
  takeRetry(attempt: number, delayMs: number): boolean;
  /** Reports a coming retry. */
  tell(error: unknown, delayMs: number): void;
  /** Number of attempts so far, including the first. */
  attempts(attempt: number): number;
}

/** `once` makes one attempt, counted from 0, within the limit. */
export async function whileCold<T>(loop: ColdLoop, once: (attempt: number, limit: CutOff) => Promise<T>): Promise<T> {
  const { clock, policy, signal } = loop;
  const startedAt = clock.now();
  const elapsedMs = (): number => clock.now() - startedAt;
  const leftMs = (): number => policy.maxColdStartMs - elapsedMs();
  let last: unknown;
  let isLastTry = false;
  for (let attempt = 0; ; attempt += 1) {
    const timeout = (): A2AActivationTimeoutError =>
      tooLate(loop, { attempts: loop.attempts(attempt), elapsedMs: elapsedMs(), cause: last });
    try {
      return await once(attempt, { clock, signal, timeout, afterMs: loop.isCut ? leftMs() : Number.POSITIVE_INFINITY });
    } catch (error) {
      if (!loop.mayRetry(error)) throw error;
      last = error;
      if (isLastTry) throw timeout();
      const plannedMs = delayOf(loop, attempt, error);
      isLastTry = plannedMs >= leftMs();
      const delayMs = isLastTry ? lastDelay(loop, error, leftMs()) : plannedMs;
      if (attempt < policy.maxRetries && delayMs >= leftMs()) throw timeout();
      if (!loop.takeRetry(attempt, delayMs)) throw error;
      loop.tell(error, delayMs);
      await sleep(clock, delayMs, signal);
    }
  }
}

/** Uses at least the delay that a gateway asks for. */
function delayOf({ policy, random }: ColdLoop, attempt: number, error: unknown): number {
  const delayMs = backoffDelay(policy.backoff, attempt, random);
  return isA2AError(error) ? Math.max(delayMs, error.retryAfterMs ?? 0) : delayMs;
}

/** Ends before the deadline, so that one more attempt is made, unless a gateway asks for a longer delay than that. */
function lastDelay({ policy }: ColdLoop, error: unknown, leftMs: number): number {
  const delayMs = Math.max(leftMs - policy.backoff.initialDelayMs, leftMs / 2);
  return isA2AError(error) ? Math.max(delayMs, error.retryAfterMs ?? 0) : delayMs;
}

interface Lateness {
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly cause: unknown;
}

function tooLate({ policy }: ColdLoop, { attempts, elapsedMs, cause }: Lateness): A2AActivationTimeoutError {
  const message = `The agent did not start within ${policy.maxColdStartMs} ms`;
  return new A2AActivationTimeoutError({ attempts, elapsedMs }, message, cause === undefined ? {} : { cause });
}
