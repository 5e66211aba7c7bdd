/** Counts callers per event-loop iteration, to decide whether work of several callers is done together at the end of the iteration. */
import { systemClock } from './system-clock.js';

/** How long a busy iteration predicts that the next one is busy, too. */
const FORECAST_MS = 10;

// All loads share one callback at the end of an iteration: each costs a request that is alone several microseconds.
let iteration = 0;
let isEnding = false;

const end = (): void => {
  isEnding = false;
  iteration += 1;
};

function currentIteration(): number {
  // Not by the agent's clock: no time passes, and a manual clock would never end the iteration.
  if (!isEnding) systemClock.soon(end);
  isEnding = true;
  return iteration;
}

/**
 * An iteration of a busy server reads the requests of several connections, one after another. Doing the same step for all of them together
 * costs less than doing it at once for each; but a single caller would only wait longer.
 */
export class IterationLoad {
  /** The iteration of the last caller. */
  #counted = -1;
  #count = 0;
  #busyUntil = Number.NEGATIVE_INFINITY;

  /** Differs between two iterations that had callers. */
  get iteration(): number {
    return iteration;
  }

  /** Counts a caller. */
  add(): void {
    const now = currentIteration();
    if (now !== this.#counted) {
      if (this.#count < 2) this.#busyUntil = Number.NEGATIVE_INFINITY;
      this.#counted = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count > 1) this.#busyUntil = systemClock.now() + FORECAST_MS;
  }

  /** This iteration has several callers, or probably will: the last one with callers had several, a moment ago. */
  get isShared(): boolean {
    return (this.#count > 1 && this.#counted === iteration) || systemClock.now() < this.#busyUntil;
  }
}
