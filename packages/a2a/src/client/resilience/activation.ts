export interface ActivationOptions {
  /** Default 5,000. */
  readonly maxColdStartMs?: number;
  /** Default 100. */
  readonly initialBackoffMs?: number;
  /** Default 2,000. */
  readonly maxBackoffMs?: number;
  /** Default 3. */
  readonly maxRetries?: number;
  /** Default true. */
  readonly jitter?: boolean;
}
