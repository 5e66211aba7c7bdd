/** How long an agent that may be asleep is waited for. */
import { BACKOFFS, type Backoff, backoffDelay } from './backoff.js';
import { checkNumber } from './check-number.js';

export interface ActivationOptions {
  /**
   * All tries together, their waits included; the last wait is shortened so that one more try is made before the end. Default 5,000, and with the other defaults rarely used up: three further tries wait for 0.7 s
   * at most, so agents that refuse quickly while they start need more tries, as `kedaActivation()` gives.
   */
  readonly maxColdStartMs?: number;
  /** Default 100. */
  readonly initialBackoffMs?: number;
  /** Default 2,000. */
  readonly maxBackoffMs?: number;
  /** Tries after the first. Default 3; Infinity: as many as the time allows. */
  readonly maxRetries?: number;
  /** Default true: between half and all of the delay. */
  readonly jitter?: boolean;
}

/** For agents that are scaled to nothing, as KEDA does: as many tries as 60 seconds allow. */
export function kedaActivation(options: ActivationOptions = {}): ActivationOptions {
  return { maxColdStartMs: 60_000, maxRetries: Number.POSITIVE_INFINITY, ...options };
}

/** Tells those who wait for an agent to wake up that it has: from then on its failures are failures like any other. */
export interface ColdStartWatch {
  readonly isAwake: boolean;
  /** It answered, if only to refuse. */
  awake(): void;
}

export interface ActivationPolicy {
  readonly maxColdStartMs: number;
  readonly maxRetries: number;
  readonly backoff: Backoff;
}

export function resolveActivation(options: ActivationOptions = {}): ActivationPolicy {
  const { maxColdStartMs = 5_000, maxRetries = 3 } = options;
  const backoff = backoffOf(options);
  checkNumber('activation.maxColdStartMs', maxColdStartMs, { min: 1 });
  checkNumber('activation.maxRetries', maxRetries, { whole: true });
  checkNumber('activation.initialBackoffMs', backoff.baseMs);
  checkNumber('activation.maxBackoffMs', backoff.maxMs);
  return { maxColdStartMs, maxRetries, backoff };
}

/** The delay before an agent that may be asleep is asked again; `attempt` is 0 for the first. */
export function backoffForAttempt(attempt: number, options: ActivationOptions = {}, random: () => number = Math.random): number {
  return backoffDelay(backoffOf(options), attempt, random);
}

function backoffOf({ initialBackoffMs, maxBackoffMs, jitter }: ActivationOptions): Backoff {
  const { baseMs, factor, maxMs, jitter: chance } = BACKOFFS.activation;
  return { baseMs: initialBackoffMs ?? baseMs, factor, maxMs: maxBackoffMs ?? maxMs, jitter: jitter ?? chance };
}
