/** The lifetime of a run: until the caller aborts it, or until another call shows that its task has ended. */
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { Message, Task } from '../../protocol/types.js';

/** Why a wait ends: the run was aborted, the final task is known, or the run was interrupted. */
type Why = 'left' | 'final' | 'interrupted';
type OnEnd = (why: Why) => void;

/** Thrown inside a run whose task has ended, to end the current wait. Never leaves the run. */
export const TASK_IS_OVER = new Error('the task has ended');

/** Thrown inside a run at its current wait, with the outcome of a question that was asked meanwhile. Never leaves the run. */
export class Interrupt extends Error {
  readonly outcome: { readonly message: Message } | { readonly thrown: unknown };

  constructor(outcome: Interrupt['outcome']) {
    super('the run was interrupted by a reply');
    this.outcome = outcome;
  }
}

export class Life {
  readonly #leaving = new AbortController();
  readonly #canceling = new AbortController();
  readonly #waiting = new Set<OnEnd>();
  #final: Task | undefined;
  #interrupt: Interrupt | undefined;

  /** The name of the agent once it is known, for abort errors. */
  peer: string | undefined;

  /** Aborted when the run is aborted or detached. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Aborted when the run is canceled: from then on its message is not sent again for another task. */
  get noRepeat(): AbortSignal {
    return this.#canceling.signal;
  }

  /** Number of pending waits. 0 means that nothing leaks. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The final task, if another call returned it. */
  get final(): Task | undefined {
    return this.#final;
  }

  leave(error: A2AError): void {
    if (this.signal.aborted) return;
    this.#leaving.abort(error);
    this.#tell('left');
  }

  /** Called before the agent is asked to cancel the task. */
  cancel(): void {
    this.#canceling.abort();
  }

  finish(task: Task): void {
    if (this.signal.aborted || this.#final !== undefined) return;
    this.#final = task;
    this.#tell('final');
  }

  /** Ends the current wait with this interrupt. No new wait can start until `goOn`. */
  interrupt(interrupt: Interrupt): void {
    if (this.#reason() !== undefined) return;
    this.#interrupt = interrupt;
    this.#tell('interrupted');
  }

  goOn(): void {
    this.#interrupt = undefined;
  }

  /** Throws if no wait may start. */
  check(): void {
    const reason = this.#reason();
    if (reason !== undefined) throw reason;
  }

  /** Calls back when a wait must end, until the returned function is called. */
  hold(onEnd: OnEnd): () => void {
    this.#waiting.add(onEnd);
    return () => {
      this.#waiting.delete(onEnd);
    };
  }

  async sleep(clock: Clock, delayMs: number): Promise<void> {
    let stop = (): void => {};
    const slept = new Promise<void>((resolve) => {
      stop = clock.after(delayMs, resolve);
    });
    try {
      await this.race(slept);
    } finally {
      stop();
    }
  }

  /** Returns the promise or ends with the lifetime, whichever is first. A late value is passed to `late`. */
  async race<T>(promise: Promise<T>, late?: (value: T) => void): Promise<T> {
    let release = (): void => {};
    let isOver = false;
    const ended = new Promise<never>((_, reject) => {
      const end = (): void => {
        isOver = true;
        reject(this.#reason());
      };
      if (this.#reason() !== undefined) end();
      else release = this.hold(end);
    });
    promise.then((value) => isOver && late?.(value), ignore);
    try {
      return await Promise.race([promise, ended]);
    } finally {
      release();
    }
  }

  #reason(): unknown {
    if (this.signal.aborted) return this.signal.reason;
    return this.#final === undefined ? this.#interrupt : TASK_IS_OVER;
  }

  #tell(why: Why): void {
    for (const onEnd of [...this.#waiting]) onEnd(why);
  }
}

const ignore = (): void => {};
