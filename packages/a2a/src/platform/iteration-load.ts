/** Counts callers per event-loop iteration, to decide whether work of several callers is done together at the end of the iteration. */
import { systemClock } from './system-clock.js';

/** How long a busy iteration predicts that the next one is busy, too. */
const FORECAST_MS = 10;

/**
 * An iteration of a busy server reads the requests of several connections, one after another. Doing the same step for all of them together
 * costs less than doing it at once for each; but a single caller would only wait longer.
 */
export class IterationLoad {
  /** Grows with each iteration that had callers. */
  iteration = 0;
  #count = 0;
  #busyUntil = Number.NEGATIVE_INFINITY;

  /** Counts a caller. */
  add(): void {
    // Not by the agent's clock: no time passes, and a manual clock would never end the iteration.
    if (this.#count === 0) systemClock.soon(this.#end);
    this.#count += 1;
  }

  /** This iteration has several callers, or probably will: the last one with callers had several, a moment ago. */
  get isShared(): boolean {
    return this.#count > 1 || systemClock.now() < this.#busyUntil;
  }

  readonly #end = (): void => {
    this.#busyUntil = this.#count > 1 ? systemClock.now() + FORECAST_MS : Number.NEGATIVE_INFINITY;
    this.#count = 0;
    this.iteration += 1;
  };
}
