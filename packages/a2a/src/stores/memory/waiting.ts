/** The tasks that wait for their caller, longest first: kept apart, so that those which wait too long are found without a scan. */
import { isInterrupted } from '../../protocol/task-state.js';
import type { TaskRef } from '../store.js';
import { SortedList } from './sorted-list.js';
import { byAge, type TaskRow } from './task-row.js';

export class Waiting {
  readonly #rows = new SortedList<TaskRow>(byAge);

  /** Before its status changes: its place depends on it. */
  leave(row: TaskRow): void {
    if (isInterrupted(row.state)) this.#rows.delete(row);
  }

  /** After its status has changed. */
  enter(row: TaskRow): void {
    if (isInterrupted(row.state)) this.#rows.add(row);
  }

  since(before: number, limit: number): readonly TaskRef[] {
    const found: TaskRef[] = [];
    for (const { scope, id, statusAt } of this.#rows.ascending()) {
      if (found.length >= limit || statusAt >= before) break;
      found.push({ tenant: scope.tenant, owner: scope.owner, id });
    }
    return found;
  }
}
