/**
 * The histories of tasks that this node has read lately. Every turn of a task offers the whole history to its executor; with this cache, a
 * turn reads only the messages that are new since the last one. Messages never change, so an entry is never wrong, only incomplete,
 * until the task is deleted: another task may then get its id.
 */
import { refKey, type TaskRef } from '../../stores/store.js';

/** The first `messages` messages of a task, one per line. */
export interface KnownHistory {
  readonly messages: number;
  readonly text: string;
}

/** The total length of all texts. */
const MAX_CHARS = 32 * 1024 * 1024;
/** A shorter history is read as fast as it is looked up. */
const MIN_CHARS = 16 * 1024;

export class RecentHistories {
  /** The least recently used first. */
  readonly #known = new Map<string, KnownHistory>();
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars = MAX_CHARS) {
    this.#maxChars = maxChars;
  }

  find(ref: TaskRef): KnownHistory | undefined {
    return this.#known.get(refKey(ref));
  }

  keep(ref: TaskRef, history: KnownHistory): void {
    this.forget(ref);
    const { length } = history.text;
    if (length < MIN_CHARS || length > this.#maxChars) return;
    this.#known.set(refKey(ref), history);
    this.#chars += length;
    for (const [key, { text }] of this.#known) {
      if (this.#chars <= this.#maxChars) return;
      this.#known.delete(key);
      this.#chars -= text.length;
    }
  }

  /** Call it when the task has ended or was deleted: no turn follows. */
  forget(ref: TaskRef): void {
    if (this.#known.size === 0) return; // nearly always: long tasks are rare
    const key = refKey(ref);
    this.#chars -= this.#known.get(key)?.text.length ?? 0;
    this.#known.delete(key);
  }
}
