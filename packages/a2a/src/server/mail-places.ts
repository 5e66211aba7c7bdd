/** How many messages may wait for one task: places are kept when a message is sent, and given back when it was taken or refused. */
import { A2AError } from '../protocol/errors.js';
import { refKey, type TaskRef } from '../stores/store.js';
import type { ActiveTasks } from './active-tasks.js';

export class MailPlaces {
  readonly #places = new Map<string, number>();
  readonly #active: ActiveTasks;
  readonly #max: number;

  constructor(active: ActiveTasks, max: number) {
    this.#active = active;
    this.#max = max;
  }

  /**
   * Keeps a place for a message: the returned function, called once, gives it back. Throws when all are taken, by messages sent through
   * here, or by those that the task has seen, whoever sent them.
   */
  reserve(ref: TaskRef): () => void {
    const key = refKey(ref);
    const taken = this.#places.get(key) ?? 0;
    if (Math.max(taken, this.#active.mailOf(ref)) >= this.#max) throw this.#tooMuch(ref);
    this.#places.set(key, taken + 1);
    return () => {
      const left = (this.#places.get(key) ?? 1) - 1;
      if (left > 0) this.#places.set(key, left);
      else this.#places.delete(key);
    };
  }

  #tooMuch(ref: TaskRef): A2AError {
    const text = `task ${ref.id} has ${this.#max} messages waiting, no more are taken at the moment`;
    return new A2AError('RATE_LIMITED', text, { retryAfterMs: 1_000 });
  }
}
