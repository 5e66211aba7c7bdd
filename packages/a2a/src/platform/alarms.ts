/** Many time limits under one timer: nearly all of them are taken back before they are reached, and a timer each would cost more than they do. */
import type { Clock } from '../protocol/clock.js';

/** Something that has to happen by a time unless it is taken back. */
export interface Alarm {
  /** Milliseconds since the epoch; Infinity: not for now. */
  readonly dueAt: number;
  ring(): void;
}

export class Alarms {
  readonly #clock: Clock;
  readonly #waiting = new Set<Alarm>();
  /** When the timer goes off, which may be before anything is due: who is taken back leaves it as it is. */
  #timerAt = Number.POSITIVE_INFINITY;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on it rings once when it is due. Say so again whenever it became due earlier. */
  set(alarm: Alarm): void {
    this.#waiting.add(alarm);
    if (alarm.dueAt < this.#timerAt) this.#startTimer(alarm.dueAt);
  }

  /** The last one takes the timer with it, so that nothing holds the process. */
  remove(alarm: Alarm): void {
    if (this.#waiting.delete(alarm) && this.#waiting.size === 0) this.#endTimer();
  }

  readonly #onTimer = (): void => {
    this.#endTimer();
    const now = this.#clock.now();
    try {
      for (const alarm of this.#waiting) {
        if (alarm.dueAt > now) continue;
        this.#waiting.delete(alarm);
        alarm.ring();
      }
    } finally {
      const nextAt = this.#earliest();
      if (nextAt < this.#timerAt) this.#startTimer(nextAt);
    }
  };

  /** Who is not due for now is forgotten until he says that he is: he may never come back. */
  #earliest(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const alarm of this.#waiting) {
      if (alarm.dueAt === Number.POSITIVE_INFINITY) this.#waiting.delete(alarm);
      else earliest = Math.min(earliest, alarm.dueAt);
    }
    return earliest;
  }

  #startTimer(at: number): void {
    this.#stopTimer?.();
    this.#timerAt = at;
    this.#stopTimer = this.#clock.after(Math.max(0, at - this.#clock.now()), this.#onTimer);
  }

  #endTimer(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }
}
