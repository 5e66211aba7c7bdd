/** What an agent passes on when it calls another: enough to stop together, in time, and not in circles. `context.scope` is one. */
export interface DelegationScope {
  /** Aborted when the parent is cancelled: the tasks started under it are cancelled too. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** W3C `traceparent`. */
  readonly trace?: string | undefined;
  /** How many agents stand above the next call. */
  readonly depth: number;
  readonly rootTaskId?: string | undefined;
}
