import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';

/** The health of an agent, derived from its calls. */
export interface AgentHealth {
  readonly url: string;
  /** false from the opening of its circuit until its next success. */
  readonly healthy: boolean;
  readonly consecutiveFailures: number;
  /** Milliseconds since the epoch. undefined: it never failed. */
  readonly lastFailure: number | undefined;
  /** Milliseconds since the epoch. undefined: the circuit is closed. */
  readonly openUntil: number | undefined;
}

export interface CircuitLimits {
  readonly failures: number;
  readonly openMs: number;
}

/**
 * Permission of one call. A call that started before the last state change of the circuit has an old generation, and its failure is
 * ignored.
 */
export interface Pass {
  readonly generation: number;
  readonly isProbe: boolean;
}

// The duration of a running probe is unknown, so refused calls get this fixed retry delay.
const PROBE_RETRY_MS = 1_000;

/** Closed until enough consecutive failures, then open for a while, then half-open: one probe at a time decides. */
export class Circuit {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #limits: CircuitLimits;
  #generation = 0;
  #failures = 0;
  #lastFailure: number | undefined;
  #openedAt: number | undefined;
  #isProbing = false;
  #lastError: A2AError | undefined;

  constructor(url: string, clock: Clock, limits: CircuitLimits) {
    this.#url = url;
    this.#clock = clock;
    this.#limits = limits;
  }

  get lastError(): A2AError | undefined {
    return this.#lastError;
  }

  get retryAfterMs(): number {
    const leftMs = this.#openLeftMs();
    return leftMs > 0 ? leftMs : Math.min(PROBE_RETRY_MS, this.#limits.openMs);
  }

  allows(): boolean {
    return this.#openedAt === undefined || (this.#openLeftMs() <= 0 && !this.#isProbing);
  }

  /** Returns undefined if the call must not be made. */
  enter(): Pass | undefined {
    if (!this.allows()) return undefined;
    this.#isProbing = this.#openedAt !== undefined;
    return { generation: this.#generation, isProbe: this.#isProbing };
  }

  /** For a call that is made in any case. While the circuit is open it does not take the place of the probe. */
  pass(): Pass {
    return this.enter() ?? { generation: this.#generation, isProbe: false };
  }

  /** The agent is healthy, no matter when the call started. */
  succeeded(): void {
    if (this.#openedAt !== undefined) this.#generation += 1;
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#isProbing = false;
    this.#lastError = undefined;
  }

  failed({ generation }: Pass, error: A2AError): void {
    if (generation !== this.#generation) return;
    this.#failures += 1;
    this.#lastFailure = this.#clock.now();
    this.#lastError = error;
    this.#isProbing = false;
    if (this.#failures < this.#limits.failures) return;
    this.#openedAt = this.#clock.now();
    this.#generation += 1;
  }

  /** The call ended without information about the agent. If it was the probe, the next call becomes the probe. */
  left({ generation, isProbe }: Pass): void {
    if (isProbe && generation === this.#generation) this.#isProbing = false;
  }

  health(): AgentHealth {
    return {
      url: this.#url,
      healthy: this.#openedAt === undefined,
      consecutiveFailures: this.#failures,
      lastFailure: this.#lastFailure,
      openUntil: this.#openedAt === undefined ? undefined : this.#openedAt + this.#limits.openMs,
    };
  }

  #openLeftMs(): number {
    if (this.#openedAt === undefined) return 0;
    // A clock that is set back must not keep the circuit open longer.
    this.#openedAt = Math.min(this.#openedAt, this.#clock.now());
    return this.#openedAt + this.#limits.openMs - this.#clock.now();
  }
}
