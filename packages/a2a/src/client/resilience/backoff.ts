/** Computes the delay before a retry. */

export interface Backoff {
  /** The first delay. */
  readonly baseMs: number;
  /** Each delay is this multiple of the previous one. 1 keeps it constant. */
  readonly factor: number;
  /** Upper limit of every delay. */
  readonly maxMs: number;
  /** Uses a random value between half and all of the delay, so that clients that failed together do not retry together. */
  readonly jitter: boolean;
}

/** The three presets of the client. */
export const BACKOFFS = {
  /** Reconnecting to a broken stream: constant delay. */
  reconnect: { baseMs: 500, factor: 1, maxMs: 30_000, jitter: false },
  /** Repeating a failed call. */
  retry: { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: true },
  /** Waiting for an agent that is starting. */
  activation: { baseMs: 100, factor: 2, maxMs: 2_000, jitter: true },
} as const satisfies Record<string, Backoff>;

/** Returns the delay before a retry; `attempt` is 0 for the first one. The cap is applied before the jitter. */
export function backoffDelay({ baseMs, factor, maxMs, jitter }: Backoff, attempt: number, random: () => number): number {
  // 0 * Infinity is NaN, so a base of 0 is handled separately.
  const grown = baseMs === 0 ? 0 : baseMs * factor ** Math.max(0, attempt);
  const capped = Math.min(grown, maxMs);
  return jitter ? capped * (0.5 + 0.5 * random()) : capped;
}
