import type { TaskState } from '../../protocol/types.js';
import { SortedList } from './sorted-list.js';
import { byStatus, type TaskRow } from './task-row.js';

/** Tasks of one owner, or of one of its contexts, sorted by status time: all of them, and per state. */
export class StatusIndex {
  readonly #all = new SortedList<TaskRow>(byStatus);
  readonly #byState = new Map<TaskState, SortedList<TaskRow>>();

  /** The tasks in that state; all tasks if `state` is undefined. */
  in(state: TaskState | undefined): SortedList<TaskRow> | undefined {
    return state === undefined ? this.#all : this.#byState.get(state);
  }

  get size(): number {
    return this.#all.size;
  }

  add(row: TaskRow): void {
    let sameState = this.#byState.get(row.state);
    if (sameState === undefined) {
      sameState = new SortedList<TaskRow>(byStatus);
      this.#byState.set(row.state, sameState);
    }
    this.#all.add(row);
    sameState.add(row);
  }

  /** Call it before the state or status time of the row changes. */
  delete(row: TaskRow): void {
    this.#all.delete(row);
    this.#byState.get(row.state)?.delete(row);
  }
}
