/** How long a run lives: until it is left, or until its task is known to be over by another way than the one it waits on. */
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { Message, Task } from '../../protocol/types.js';

/** What waits is told why it need not: the run was left, the final task is at hand, or something else is to be done first. */
type Why = 'left' | 'final' | 'interrupted';
type OnEnd = (why: Why) => void;

/** Thrown inside of a run whose task is over: what it waited for does not matter any more. Never seen outside. */
export const TASK_IS_OVER = new Error('the task is over');

/** Thrown inside of a run at whatever it waits for: a question that was put meanwhile has come to this. Never seen outside. */
export class Interrupt extends Error {
  readonly outcome: { readonly message: Message } | { readonly thrown: unknown };

  constructor(outcome: Interrupt['outcome']) {
    super('the run goes on elsewhere');
    this.outcome = outcome;
  }
}

export class Life {
  readonly #leaving = new AbortController();
  readonly #canceling = new AbortController();
  readonly #waiting = new Set<OnEnd>();
  #final: Task | undefined;
  #interrupt: Interrupt | undefined;

  /** The agent's name, once it is known: for the errors of whoever leaves. */
  peer: string | undefined;

  /** Aborted when the run is left. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Aborted when the run is to be canceled: from then on its message is not sent again for another task. */
  get noRepeat(): AbortSignal {
    return this.#canceling.signal;
  }

  /** How many wait for the end: 0 when nothing leaks. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The task as it ended, where that was learned by the way. */
  get final(): Task | undefined {
    return this.#final;
  }

  leave(error: A2AError): void {
    if (this.signal.aborted) return;
    this.#leaving.abort(error);
    this.#tell('left');
  }

  /** The agent is about to be told to stop the task. */
  cancel(): void {
    this.#canceling.abort();
  }

  finish(task: Task): void {
    if (this.signal.aborted || this.#final !== undefined) return;
    this.#final = task;
    this.#tell('final');
  }

  /** Whatever waits ends with this, and nothing can be waited for until the run goes on. */
  interrupt(interrupt: Interrupt): void {
    if (this.#reason() !== undefined) return;
    this.#interrupt = interrupt;
    this.#tell('interrupted');
  }

  goOn(): void {
    this.#interrupt = undefined;
  }

  /** Throws when there is nothing to wait for. */
  check(): void {
    const reason = this.#reason();
    if (reason !== undefined) throw reason;
  }

  /** Calls back at the end, unless taken back before. */
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

  /** The promise, or the end, whichever is first. What a promise gives too late goes to `late`. */
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
