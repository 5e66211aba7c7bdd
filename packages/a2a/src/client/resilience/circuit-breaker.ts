export interface BreakerOptions {
  /** Failures in a row that open the circuit. Default 3. */
  readonly failures?: number;
  /** How long it stays open. Default 30,000. */
  readonly openMs?: number;
}
