/** Many time limits under one timer: nearly all of them are taken back before they are reached, and a timer each would cost more than they do. */
import type { Clock } from '../protocol/clock.js';

/** Something that has to happen by a time unless it is taken back. */
export interface Alarm {
  /** Milliseconds since the epoch; Infinity: not for now. */
  readonly dueAt: number;
  /** Where it stands among those that wait: written by Alarms alone. Begins with NOWHERE. */
  place: number;
  ring(): void;
}

export const NOWHERE = -1;

export class Alarms {
  readonly #clock: Clock;
  /**
   * In no order. Not a Set: that makes a new table whenever it is full of what was deleted, and each old table holds the next. Once one of
   * them is old, the collector of young objects takes all that ever waited for alive, with the whole call that it belongs to.
   */
  readonly #waiting: Alarm[] = [];
  /** When the timer goes off, which may be before anything is due: who is taken back leaves it as it is. */
  #timerAt = Number.POSITIVE_INFINITY;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on it rings once when it is due. Say so again whenever it became due earlier. */
  set(alarm: Alarm): void {
    if (alarm.place === NOWHERE) alarm.place = this.#waiting.push(alarm) - 1;
    if (alarm.dueAt < this.#timerAt) this.#startTimer(alarm.dueAt);
  }

  /** The last one takes the timer with it, so that nothing holds the process. */
  remove(alarm: Alarm): void {
    if (alarm.place === NOWHERE) return;
    this.#takeOut(alarm);
    if (this.#waiting.length === 0) this.#endTimer();
  }

  /** The last one takes its place. */
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
        // One that rang before may have taken this one back.
        if (alarm.place === NOWHERE || alarm.dueAt > now) continue;
        this.#takeOut(alarm);
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
