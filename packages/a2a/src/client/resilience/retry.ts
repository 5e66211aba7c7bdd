export interface RetryOptions {
  /** Tries after the first. Default 3. */
  readonly maxRetries?: number;
  /** Default 1,000. */
  readonly baseMs?: number;
  /** Default 2. */
  readonly factor?: number;
  /** No wait is longer, whatever a server asks for. Default 30,000. */
  readonly maxMs?: number;
  /** Default true: between half and all of the delay. */
  readonly jitter?: boolean;
  /** 'safe' (default): 500 only where repeating does nothing twice; 'all5xx': always. */
  readonly policy?: 'safe' | 'all5xx';
  onRetry?(event: RetryEvent): void;
}

export interface RetryEvent {
  readonly requestId: string;
  readonly agent: string;
  readonly method: string;
  /** The try that failed. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: Error;
}
