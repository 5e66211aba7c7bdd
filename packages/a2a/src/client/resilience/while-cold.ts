/** The loop of everything that waits for an agent to wake up. One deadline is for all tries, those in flight and the waits between them. */
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
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Whether a try that is in flight is cut off too. */
  readonly isCut: boolean;
  /** Whether it looks like a cold start and may be tried again. */
  mayRetry(error: unknown): boolean;
  /** Takes one further try, to be made after this wait; false when there is none left. */
  takeRetry(attempt: number, delayMs: number): boolean;
  /** A further try will be made. */
  tell(error: unknown, delayMs: number): void;
  /** Tries so far, the first among them. */
  attempts(attempt: number): number;
}

/** `once` makes one try, counted from 0, within the limit. */
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

/** At least what a gateway asks for. */
function delayOf({ policy, random }: ColdLoop, attempt: number, error: unknown): number {
  const delayMs = backoffDelay(policy.backoff, attempt, random);
  return isA2AError(error) ? Math.max(delayMs, error.retryAfterMs ?? 0) : delayMs;
}

/** Short of the end, so that one more try is made before it: unless a gateway asks for more patience than there is time. */
function lastDelay({ policy }: ColdLoop, error: unknown, leftMs: number): number {
  const delayMs = Math.max(leftMs - policy.backoff.baseMs, leftMs / 2);
  return isA2AError(error) ? Math.max(delayMs, error.retryAfterMs ?? 0) : delayMs;
}

interface Lateness {
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly cause: unknown;
}

function tooLate({ policy }: ColdLoop, { attempts, elapsedMs, cause }: Lateness): A2AActivationTimeoutError {
  const message = `The agent did not wake up within ${policy.maxColdStartMs} ms`;
  return new A2AActivationTimeoutError({ attempts, elapsedMs }, message, cause === undefined ? {} : { cause });
}
