/** Counts calls per event-loop iteration, to decide whether work of several callers should be done together at the end of the iteration. */
import { systemClock } from './system-clock.js';

/**
 * An iteration of a busy server reads the requests of several connections, one after another. Doing the same step for all of them together
 * costs less than doing it at once for each; but a single caller would only wait longer.
 */
export class IterationLoad {
  /** Grows with each iteration that had calls. */
  iteration = 0;
  #count = 0;
  #countBefore = 0;

  /** Counts a call. */
  add(): void {
    // Not by the agent's clock: no time passes, and a manual clock would never end the iteration.
    if (this.#count === 0) systemClock.soon(this.#end);
    this.#count += 1;
  }

  /** This iteration has several calls, or will probably have: the one before had. */
  get isShared(): boolean {
    return this.#count > 1 || this.#countBefore > 1;
  }

  readonly #end = (): void => {
    this.#countBefore = this.#count;
    this.#count = 0;
    this.iteration += 1;
  };
}
