/** Refuses events that would make a task larger than `maxTaskBytes`. */

import { isLarge } from '../../platform/slices.js';
import type { TaskEvent } from '../../protocol/apply-event.js';
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import type { StoredTask } from '../../stores/store.js';
import type { Publication } from './entries.js';
import type { TaskSize } from './task-size.js';

/** A UTF-16 unit is at most three bytes. */
export const MAX_BYTES_PER_UNIT = 3;

export class TaskLimit {
  readonly #maxBytes: number;
  readonly #measure: () => TaskSize;
  /** The task is not larger than this. Nothing is measured while this bound is below the limit, so nearly all tasks are never measured. */
  #bound = 0;
  #size: TaskSize | undefined;
  #isFull = false;

  /** `measure` returns the size of the task with all accepted events. */
  constructor(maxBytes: number, measure: () => TaskSize) {
    this.#maxBytes = maxBytes;
    this.#measure = measure;
  }

  /** An event was refused. Only a status that ends the task is accepted from now on. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** For a claimed task. */
  restore(stored: StoredTask): void {
    const { messages, historyBytes } = stored.snapshot;
    this.#bound = historyBytes + messages + (charsOf(stored) + SEPARATORS) * MAX_BYTES_PER_UNIT;
  }

  /** Throws when the task would be too large. The text of an entry contains everything that its event adds to the task. */
  admit(event: TaskEvent, json: string, publication: Publication): void {
    // Large events are counted exactly: to measure a task of many megabytes means to serialize it.
    this.#bound += isLarge(json) ? utf8Length(json) : json.length * MAX_BYTES_PER_UNIT;
    if (this.#bound <= this.#maxBytes) return;
    this.#size ??= this.#measure();
    this.#size.add(event);
    const { bytes } = this.#size;
    if (bytes <= this.#maxBytes || isAlwaysAccepted(publication)) return;
    this.#size = undefined; // it has the refused event: measure again
    this.#isFull = true;
    throw taskTooLarge(bytes, this.#maxBytes);
  }
}

/** The length of a claimed task without its history, which a claim does not read. */
export function charsOf({ snapshot: { text }, tail }: StoredTask): number {
  return tail.reduce((sum, { json }) => sum + json.length, text.head.length + text.artifacts.length);
}

/** The names of history and artifacts, with brackets. */
const SEPARATORS = 50;

/** A task can always end. The messages of callers are checked when they are sent. */
function isAlwaysAccepted(publication: Publication): boolean {
  if (publication.kind === 'task') return publication.provisional === true;
  return publication.kind === 'input' || endsTask(publication);
}

export function endsTask(publication: Publication): boolean {
  return publication.kind === 'status' && isTerminal(publication.state);
}

export function taskTooLarge(bytes: number, maxBytes: number): A2AError {
  return new A2AError(
    'CONTENT_TOO_LARGE',
    `the task would have ${bytes} bytes, and the limit is ${maxBytes}: start a new task in the same context`,
  );
}
