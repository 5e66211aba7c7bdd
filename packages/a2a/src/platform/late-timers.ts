/**
 * Timers for operations that usually finish in the same event-loop iteration, such as a run or a send. The real timer is set in the next
 * iteration, and only for operations that still run then, because setting and clearing a timer costs more than many calls.
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

  /** Called by LateTimers only. */
  set(clock: Clock): void {
    if (!this.#isOver) this.#takeBack = clock.after(this.#delayMs, this.#callback);
  }

  stop(): void {
    this.#isOver = true;
    this.#takeBack?.();
  }
}
