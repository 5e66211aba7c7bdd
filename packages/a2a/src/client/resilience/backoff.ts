/** Computes the delay before a retry. */

/**
 * How often, and after which delays, an attempt is repeated. `retry`, `reconnect` and `activation` have these options with their own
 * defaults.
 */
export interface BackoffOptions {
  /** The number of attempts after the first. The default is that of `retry`, `reconnect` or `activation`. */
  readonly maxRetries?: number;
  /** The delay before the first retry, in milliseconds. The default is that of `retry`, `reconnect` or `activation`. */
  readonly initialDelayMs?: number;
  /** Each delay is this multiple of the previous one; 1 keeps it constant. The default is that of `retry`, `reconnect` or `activation`. */
  readonly multiplier?: number;
  /** The longest delay between two attempts, in milliseconds. The default is that of `retry`, `reconnect` or `activation`. */
  readonly maxDelayMs?: number;
  /** Multiplies each delay by a random number from 0.5 to 1. The default is that of `retry`, `reconnect` or `activation`. */
  readonly jitter?: boolean;
}

export interface Backoff {
  /** The first delay. */
  readonly initialDelayMs: number;
  /** Each delay is this multiple of the previous one. 1 keeps it constant. */
  readonly multiplier: number;
  /** Upper limit of every delay. */
  readonly maxDelayMs: number;
  /** Uses a random value between half and all of the delay, so that clients that failed together do not retry together. */
  readonly jitter: boolean;
}

/** The three presets of the client. */
export const BACKOFFS = {
  /** Reconnecting to a broken stream: constant delay. */
  reconnect: { initialDelayMs: 500, multiplier: 1, maxDelayMs: 30_000, jitter: false },
  /** Repeating a failed call. */
  retry: { initialDelayMs: 1_000, multiplier: 2, maxDelayMs: 30_000, jitter: true },
  /** Waiting for an agent that is starting. */
  activation: { initialDelayMs: 100, multiplier: 2, maxDelayMs: 2_000, jitter: true },
} as const satisfies Record<string, Backoff>;

/** Returns the delay before a retry; `attempt` is 0 for the first one. The cap is applied before the jitter. */
export function backoffDelay({ initialDelayMs, multiplier, maxDelayMs, jitter }: Backoff, attempt: number, random: () => number): number {
  // 0 * Infinity is NaN, so a base of 0 is handled separately.
  const grown = initialDelayMs === 0 ? 0 : initialDelayMs * multiplier ** Math.max(0, attempt);
  const capped = Math.min(grown, maxDelayMs);
  return jitter ? capped * (0.5 + 0.5 * random()) : capped;
}
