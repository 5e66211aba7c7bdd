/** One hop of a failure that came through several agents. */
export interface ErrorLink {
  /** The agent that passed the failure on. */
  readonly currentAgent: string;
  /** The agent that it had called. */
  readonly downstreamAgent: string;
  /** What that agent said, or what happened on the way to it. */
  readonly downstreamError: { readonly code: number; readonly reason: string; readonly message: string };
  readonly retryable: boolean;
  /** Seconds. */
  readonly retryAfter?: number;
}
