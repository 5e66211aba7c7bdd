/** Measures how long a run takes, without the time in which it waits for its caller. */
import type { Clock } from '../../protocol/clock.js';
import type { Settings } from '../options.js';
import type { LateTimer, LateTimers } from './late-timers.js';

/** The run that the clock measures. */
export interface MeasuredRun {
  /** The time is over. */
  timeOut(): void;
  /** The run has begun or ended to wait. */
  waitChanged(): void;
}

export class RunClock {
  readonly #clock: Clock;
  readonly #timers: LateTimers;
  readonly #run: MeasuredRun;
  #leftMs: number;
  #since = 0;
  #waits = 0;
  #isOver = false;
  #timer: LateTimer | undefined;

  constructor({ clock, maxRunMs }: Pick<Settings, 'clock' | 'maxRunMs'>, timers: LateTimers, run: MeasuredRun) {
    this.#clock = clock;
    this.#timers = timers;
    this.#leftMs = maxRunMs;
    this.#run = run;
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
    this.#timer = this.#timers.after(this.#leftMs, () => this.#run.timeOut());
  }

  /** Stops permanently, even if a wait is pending. */
  stop(): void {
    this.#isOver = true;
    this.#timer?.stop();
  }

  /** Pauses until the promise settles. */
  async pausedFor<T>(wait: Promise<T>): Promise<T> {
    if (this.#waits === 0) this.#pause();
    this.#waits += 1;
    try {
      this.#run.waitChanged();
      return await wait;
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.start();
      this.#run.waitChanged();
    }
  }

  #pause(): void {
    this.#timer?.stop();
    const ranMs = Math.max(0, this.#clock.now() - this.#since); // the clock may have been set back
    this.#leftMs = Math.max(1, this.#leftMs - ranMs);
  }
}
