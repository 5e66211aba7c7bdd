/**
 * The Task of a run that has published nothing for `taskAfterMs` (D43). The runtime creates it, so that the caller gets an id, a stream and
 * a task that it can cancel. It is provisional until the executor publishes.
 */

import type { LateTimer, LateTimers } from '../../platform/late-timers.js';
import type { TaskWriter } from '../log/writer.js';
import type { Settings } from '../options.js';

export interface EarlyTaskParts {
  readonly settings: Pick<Settings, 'clock' | 'taskAfterMs'>;
  readonly timers: LateTimers;
  readonly writer: TaskWriter;
  /** The log holds a provisional Task: an earlier run of the turn crashed before it published anything. */
  readonly isProvisional: boolean;
  /** Publishes the Task. */
  create(): void;
}

export class EarlyTask {
  readonly #parts: EarlyTaskParts;
  #isProvisional: boolean;
  #timer: LateTimer | undefined;
  #isOver = false;

  constructor(parts: EarlyTaskParts) {
    this.#parts = parts;
    this.#isProvisional = parts.isProvisional;
  }

  /** The Task exists, and the executor has published nothing yet. */
  get isProvisional(): boolean {
    return this.#isProvisional;
  }

  /** Called immediately before `execute`. */
  start(): void {
    const { settings, timers, writer } = this.#parts;
    if (writer.exists || settings.taskAfterMs === Number.POSITIVE_INFINITY) return;
    this.#timer = timers.after(settings.taskAfterMs, this.#onTime);
  }

  /** `execute` has returned, or the turn answers with a direct Message: do not create a Task any more. */
  stop(): void {
    this.#isOver = true;
    this.#timer?.stop();
  }

  /** The executor publishes: from now on the Task is the executor's own. Returns whether it was provisional. */
  adopt(): boolean {
    const wasProvisional = this.#isProvisional;
    this.#isProvisional = false;
    return wasProvisional;
  }

  /** Waits one more event-loop iteration: a run whose answer arrives right now still chooses between a Message and a Task. */
  readonly #onTime = (): void => this.#parts.settings.clock.soon(this.#create);

  readonly #create = (): void => {
    const { writer } = this.#parts;
    if (this.#isOver || writer.exists || writer.fault) return;
    this.#isProvisional = true;
    this.#parts.create();
  };
}
