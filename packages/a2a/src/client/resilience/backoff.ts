/** How long to wait before trying again. */

export interface Backoff {
  /** The first delay. */
  readonly baseMs: number;
  /** Each delay is so many times the one before it; 1 keeps it constant. */
  readonly factor: number;
  /** No delay is longer. */
  readonly maxMs: number;
  /** Between half and all of the delay, by chance: clients that failed together do not come back together. */
  readonly jitter: boolean;
}

/** The three that the client uses. */
export const BACKOFFS = {
  /** Coming back to a stream that broke: always the same delay. */
  reconnect: { baseMs: 500, factor: 1, maxMs: 30_000, jitter: false },
  /** Repeating a call that failed. */
  retry: { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: true },
  /** Waiting for an agent that wakes up. */
  activation: { baseMs: 100, factor: 2, maxMs: 2_000, jitter: true },
} as const satisfies Record<string, Backoff>;

/** The delay in front of a further try; `attempt` is 0 for the first of them. The cap comes first and the chance after it. */
export function backoffDelay({ baseMs, factor, maxMs, jitter }: Backoff, attempt: number, random: () => number): number {
  // 0 times infinity is not a number: without a base there is no delay, however often.
  const grown = baseMs === 0 ? 0 : baseMs * factor ** Math.max(0, attempt);
  const capped = Math.min(grown, maxMs);
  return jitter ? capped * (0.5 + 0.5 * random()) : capped;
}
