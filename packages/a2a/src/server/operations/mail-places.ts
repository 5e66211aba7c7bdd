/**
 * Limits how many messages wait for one task. A place is reserved when a message is sent, and freed when the message was taken or refused.
 */
import { A2AError } from '../../protocol/errors.js';
import { refKey, type TaskRef } from '../../stores/store.js';
import type { ActiveTasks } from '../run/active-tasks.js';

export class MailPlaces {
  readonly #places = new Map<string, number>();
  readonly #active: ActiveTasks;
  readonly #max: number;

  constructor(active: ActiveTasks, max: number) {
    this.#active = active;
    this.#max = max;
  }

  /**
   * Reserves a place for a message. Call the returned function once to free it. Throws when no place is free, counting messages sent
   * through this node and messages that the task has read, from any sender.
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
    const text = `task ${ref.id} has ${this.#max} waiting messages, which is the limit; retry later`;
    return new A2AError('RATE_LIMITED', text, { retryAfterMs: 1_000 });
  }
}
