/** A question that waits for its answer while the run reads on, because the agent may go on without one. */
import { A2AError } from '../../protocol/errors.js';
import type { Message, TaskStatus } from '../../protocol/types.js';
import { isSameStatus } from './difference.js';
import { Interrupt, type Life } from './life.js';

export interface AskingOptions {
  readonly life: Life;
  /** What asks. */
  readonly status: TaskStatus;
  /** The agent's name. */
  readonly peer: string;
  /** Gives the message to go on with, if one is needed; rejects when the controller aborts. */
  ask(asking: AbortController): Promise<Message | undefined>;
}

export class Asking {
  readonly #options: AskingOptions;
  readonly #asking = new AbortController();
  #isOpen = true;
  /** Resolves when there is an answer or a failure, and the run was told. */
  readonly settled: Promise<void>;

  constructor(options: AskingOptions) {
    this.#options = options;
    this.settled = this.#settle();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes the question back when the task has gone on. */
  compare(status: TaskStatus | undefined): void {
    if (status !== undefined && !isSameStatus(this.#options.status, status)) this.withdraw();
  }

  withdraw(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#asking.abort(new A2AError('ABORTED', 'the agent no longer waits for an answer', { peer: this.#options.peer }));
  }

  async #settle(): Promise<void> {
    const outcome = await this.#outcome();
    // What was taken back may end as it likes.
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
