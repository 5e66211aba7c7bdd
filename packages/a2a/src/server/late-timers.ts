/**
 * Timers for what is mostly over before the event loop turns: a run, a send. They are set in the next turn, for whatever is left then,
 * since setting a timer and taking it back costs more than many a call.
 */
import type { Clock } from '../protocol/clock.js';

export class LateTimers {
  readonly #clock: Clock;
  #young: LateTimer[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delayMs: number, callback: () => void): LateTimer {
    const timer = new LateTimer(delayMs, callback);
    if (this.#young.push(timer) === 1) this.#clock.soon(this.#setYoung);
    return timer;
  }

  readonly #setYoung = (): void => {
    const young = this.#young;
    this.#young = [];
    for (const timer of young) timer.set(this.#clock);
  };
}

export class LateTimer {
  readonly #delayMs: number;
  readonly #callback: () => void;
  #takeBack: (() => void) | undefined;
  #isOver = false;

  constructor(delayMs: number, callback: () => void) {
    this.#delayMs = delayMs;
    this.#callback = callback;
  }

  /** For the one who made it. */
  set(clock: Clock): void {
    if (!this.#isOver) this.#takeBack = clock.after(this.#delayMs, this.#callback);
  }

  stop(): void {
    this.#isOver = true;
    this.#takeBack?.();
  }
}
