/** How long to wait for an agent that may be asleep. */
import { BACKOFFS, type Backoff, type BackoffOptions, backoffDelay } from './backoff.js';
import { checkNumber } from './check-number.js';

/** Options of `activation`: how long to wait for an agent that may be asleep, and how often to retry. */
export interface ActivationOptions extends BackoffOptions {
  /**
   * Limit for all attempts and the delays between them. The last delay is shortened so that one more attempt fits in. Default 5,000. With
   * the other defaults this limit is rarely reached: three retries wait at most 0.7 s in total. Agents that refuse quickly while they start
   * need more retries, as with `kedaActivation()`.
   */
  readonly maxColdStartMs?: number;
  /** The delay before the first retry, in milliseconds. Default 100. */
  readonly initialDelayMs?: number;
  /** Each delay is this multiple of the previous one. Default 2. */
  readonly multiplier?: number;
  /** The longest delay between two attempts, in milliseconds. Default 2,000. */
  readonly maxDelayMs?: number;
  /** The number of attempts after the first. Default 3. Infinity: as many as the time allows. */
  readonly maxRetries?: number;
  /** Randomizes each delay. Default true: a random value between half and all of the delay. */
  readonly jitter?: boolean;
}

/** For agents that are scaled to zero, for example by KEDA: as many retries as fit into 60 seconds. */
export function kedaActivation(options: ActivationOptions = {}): ActivationOptions {
  return { maxColdStartMs: 60_000, maxRetries: Number.POSITIVE_INFINITY, ...options };
}

/** Signals to the layers that wait for a cold start that the agent is awake. From then on its failures are ordinary failures. */
export interface ColdStartWatch {
  readonly isAwake: boolean;
  /** Call this on any response of the agent, even a refusal. */
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
  checkNumber('activation.initialDelayMs', backoff.initialDelayMs);
  checkNumber('activation.multiplier', backoff.multiplier);
  checkNumber('activation.maxDelayMs', backoff.maxDelayMs);
  return { maxColdStartMs, maxRetries, backoff };
}

/** Returns the delay before the next attempt at an agent that may be asleep. `attempt` is 0 for the first retry. */
export function backoffForAttempt(attempt: number, options: ActivationOptions = {}, random: () => number = Math.random): number {
  return backoffDelay(backoffOf(options), attempt, random);
}

function backoffOf(options: ActivationOptions): Backoff {
  const { initialDelayMs, multiplier, maxDelayMs, jitter } = BACKOFFS.activation;
  return {
    initialDelayMs: options.initialDelayMs ?? initialDelayMs,
    multiplier: options.multiplier ?? multiplier,
    maxDelayMs: options.maxDelayMs ?? maxDelayMs,
    jitter: options.jitter ?? jitter,
  };
}
