import type { TaskRef } from '../store.js';
import { isAlive, type NodeLease } from './nodes.js';
import { refOf, type TaskRow } from './task-row.js';

/** Tracks owned tasks, and parked tasks with pending rows, so that orphans are found without a scan of all tasks. */
export class Ownership {
  readonly #owned = new Set<TaskRow>();
  readonly #parkedWithMail = new Set<TaskRow>();

  own(row: TaskRow, lease: NodeLease): void {
    row.lease = lease;
    this.#owned.add(row);
    this.#parkedWithMail.delete(row);
  }

  park(row: TaskRow): void {
    row.lease = undefined;
    this.#owned.delete(row);
    this.noteMail(row);
  }

  /** Removes an ended task: it never runs again. */
  end(row: TaskRow): void {
    row.lease = undefined;
    this.#owned.delete(row);
    this.#parkedWithMail.delete(row);
  }

  /** Call it after the inbox has changed. */
  noteMail(row: TaskRow): void {
    if (row.lease === undefined && (row.inbox?.pending ?? 0) > 0) this.#parkedWithMail.add(row);
    else this.#parkedWithMail.delete(row);
  }

  orphans(agent: string, limit: number, now: number): readonly TaskRef[] {
    const found: TaskRef[] = [];
    for (const row of this.#owned) {
      if (found.length >= limit) return found;
      if (row.scope.agent === agent && row.lease !== undefined && !isAlive(row.lease, now)) found.push(refOf(row));
    }
    for (const row of this.#parkedWithMail) {
      if (found.length >= limit) return found;
      if (row.scope.agent === agent) found.push(refOf(row));
    }
    return found;
  }
}
