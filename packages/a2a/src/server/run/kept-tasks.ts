/**
 * Tasks that this node owns although they are not in memory: they wait for replies, and their inboxes have messages that are older than
 * their questions. If they were released, every node would find those messages and claim the tasks again and again.
 */
import { refKey, type TaskPosition, type TaskRef } from '../../stores/store.js';

interface KeptTask {
  readonly ref: TaskRef;
  readonly epoch: number;
  /** The newest inbox row that the task has read. */
  readonly seen: number;
}

export class KeptTasks {
  readonly #tasks = new Map<string, KeptTask>();

  add(task: KeptTask): void {
    this.#tasks.set(refKey(task.ref), task);
  }

  has(key: string): boolean {
    return this.#tasks.has(key);
  }

  delete(key: string): void {
    this.#tasks.delete(key);
  }

  clear(): void {
    this.#tasks.clear();
  }

  *refs(): Generator<TaskRef, void, undefined> {
    for (const { ref } of this.#tasks.values()) yield ref;
  }

  /** Whether the store has a row that the task has not read. Forgets the task if it is deleted or has another owner. */
  hasNewRow(key: string, position: TaskPosition | undefined): boolean {
    const task = this.#tasks.get(key);
    if (task === undefined) return false;
    if (position !== undefined && position.epoch <= task.epoch) return position.posted > task.seen;
    this.#tasks.delete(key);
    return false;
  }
}
