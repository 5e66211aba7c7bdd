/** A question that waits for its answer while the run keeps reading, because the agent may continue without one. */
import { A2AError } from '../../protocol/errors.js';
import type { Message, TaskStatus } from '../../protocol/types.js';
import { isSameStatus } from './difference.js';
import { Interrupt, type Life } from './life.js';

export interface AskingOptions {
  readonly life: Life;
  /** The status that contains the question. */
  readonly status: TaskStatus;
  /** The name of the agent. */
  readonly peer: string;
  /** Returns the message to continue with, if one is needed. Rejects when the controller aborts. */
  ask(asking: AbortController): Promise<Message | undefined>;
}

export class Asking {
  readonly #options: AskingOptions;
  readonly #asking = new AbortController();
  #isOpen = true;
  /** Resolves after a reply or a failure was passed to the run. */
  readonly settled: Promise<void>;

  constructor(options: AskingOptions) {
    this.#options = options;
    this.settled = this.#settle();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Withdraws the question if the task has moved on. */
  compare(status: TaskStatus | undefined): void {
    if (status !== undefined && !isSameStatus(this.#options.status, status)) this.withdraw();
  }

  withdraw(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#asking.abort(new A2AError('ABORTED', 'the agent no longer waits for a reply', { peer: this.#options.peer }));
  }

  async #settle(): Promise<void> {
    const outcome = await this.#outcome();
    // The result of a withdrawn question is ignored.
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (outcome !== undefined) this.#options.life.interrupt(new Interrupt(outcome));
  }

  async #outcome(): Promise<Interrupt['outcome'] | undefined> {
    try {
      const message = await this.#options.ask(this.#asking);
      return message && { message };
    } catch (thrown) {
      return { thrown };
    }
  }
}
