/** Many deadlines with one timer: almost all of them are removed before they are due, and a timer for each would cost more. */
import type { Clock } from '../protocol/clock.js';

/** A callback that runs at a deadline unless it is removed before. */
export interface Alarm {
  /** Milliseconds since the epoch; Infinity: currently not due. */
  readonly dueAt: number;
  /** Index in the list of waiting alarms; written only by Alarms. Initially NOWHERE. */
  place: number;
  ring(): void;
}

export const NOWHERE = -1;

export class Alarms {
  readonly #clock: Clock;
  /**
   * Unordered. Not a Set: a Set allocates a new table when it is full of deleted entries, and each old table references the next. Once one
   * table is in the old generation, the young-generation collector treats everything that ever waited as alive, with the whole call that it
   * belongs to.
   */
  readonly #waiting: Alarm[] = [];
  /** When the timer fires. This may be before any alarm is due, because removing an alarm does not change the timer. */
  #timerAt = Number.POSITIVE_INFINITY;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Arms the alarm: it rings once when it is due. Call `set()` again whenever `dueAt` becomes earlier. */
  set(alarm: Alarm): void {
    if (alarm.place === NOWHERE) alarm.place = this.#waiting.push(alarm) - 1;
    if (alarm.dueAt < this.#timerAt) this.#startTimer(alarm.dueAt);
  }

  /** Removing the last alarm stops the timer, so that it does not keep the process alive. */
  remove(alarm: Alarm): void {
    if (alarm.place === NOWHERE) return;
    this.#takeOut(alarm);
    if (this.#waiting.length === 0) this.#endTimer();
  }

  /** Moves the last alarm into the free place. */
  #takeOut(alarm: Alarm): void {
    const last = this.#waiting.pop();
    if (last !== undefined && last !== alarm) {
      this.#waiting[alarm.place] = last;
      last.place = alarm.place;
    }
    alarm.place = NOWHERE;
  }

  readonly #onTimer = (): void => {
    this.#endTimer();
    const now = this.#clock.now();
    try {
      for (const alarm of this.#waiting.slice()) {
        // An alarm that rang before may have removed this one.
        if (alarm.place === NOWHERE || alarm.dueAt > now) continue;
        this.#takeOut(alarm);
        alarm.ring();
      }
    } finally {
      const nextAt = this.#earliest();
      if (nextAt < this.#timerAt) this.#startTimer(nextAt);
    }
  };

  /** Alarms with `dueAt = Infinity` are removed, because they may never be used again; call `set()` to re-arm. */
  #earliest(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const alarm of this.#waiting.slice()) {
      if (alarm.dueAt === Number.POSITIVE_INFINITY) this.#takeOut(alarm);
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
