/** Measures how long a run takes, without the time in which it waits for its caller. */

import type { LateTimer, LateTimers } from '../../platform/late-timers.js';
import type { Clock } from '../../protocol/clock.js';
import type { Settings } from '../options.js';

export class RunClock {
  readonly #clock: Clock;
  readonly #timers: LateTimers;
  readonly #onTimeOut: () => void;
  #leftMs: number;
  #since = 0;
  #waits = 0;
  #isOver = false;
  #timer: LateTimer | undefined;

  constructor({ clock, maxRunMs }: Pick<Settings, 'clock' | 'maxRunMs'>, timers: LateTimers, onTimeOut: () => void) {
    this.#clock = clock;
    this.#timers = timers;
    this.#leftMs = maxRunMs;
    this.#onTimeOut = onTimeOut;
  }

  /** Whether the clock is paused. */
  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  /** When the time of the run is over if it does not wait again, in milliseconds since the epoch. */
  get deadline(): number {
    const isRunning = this.#timer !== undefined && !this.isWaiting;
    return (isRunning ? this.#since : this.#clock.now()) + this.#leftMs;
  }

  start(): void {
    if (this.#isOver) return;
    this.#since = this.#clock.now();
    this.#timer = this.#timers.after(this.#leftMs, this.#onTimeOut);
  }

  /** Stops permanently, even if a wait is pending. */
  stop(): void {
    this.#isOver = true;
    this.#timer?.stop();
  }

  /** Pauses until `resume` was called as often. */
  pause(): void {
    this.#waits += 1;
    if (this.#waits > 1) return;
    this.#timer?.stop();
    const ranMs = Math.max(0, this.#clock.now() - this.#since); // the clock may have been set back
    this.#leftMs = Math.max(1, this.#leftMs - ranMs);
  }

  resume(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.start();
  }
}
