/** The tasks that wait for their caller, longest wait first. Finds overdue tasks without a scan. */
import { isInterrupted } from '../../protocol/task-state.js';
import type { TaskRef } from '../store.js';
import { SortedList } from './sorted-list.js';
import { byAge, refOf, type TaskRow } from './task-row.js';

export class InterruptedTasks {
  readonly #rows = new SortedList<TaskRow>(byAge);

  /** Call it before the status changes, because the position in the list depends on the status. */
  leave(row: TaskRow): void {
    if (isInterrupted(row.state)) this.#rows.delete(row);
  }

  /** Call it after the status has changed. */
  enter(row: TaskRow): void {
    if (isInterrupted(row.state)) this.#rows.add(row);
  }

  since(agent: string, before: number, limit: number): readonly TaskRef[] {
    const found: TaskRef[] = [];
    for (const row of this.#rows.ascending()) {
      if (found.length >= limit || row.statusAt >= before) break;
      if (row.scope.agent === agent) found.push(refOf(row));
    }
    return found;
  }
}
