/** The ended tasks: limits how many logs can be replayed, and selects the task to evict. */
import type { Retention } from '../store.js';
import { SortedList } from './sorted-list.js';
import { byAge, type TaskRow } from './task-row.js';
import type { Usage } from './usage.js';

export interface ReplayLimits {
  readonly replayTasks: number;
  readonly replayBytes: number;
}

export class Finals {
  readonly #limits: ReplayLimits;
  readonly #usage: Usage;
  readonly #all = new SortedList<TaskRow>(byAge);
  /** The ended tasks that still have their log. */
  readonly #replayable = new SortedList<TaskRow>(byAge);
  #replayChars = 0;

  constructor(limits: ReplayLimits, usage: Usage) {
    this.#limits = limits;
    this.#usage = usage;
  }

  get oldest(): TaskRow | undefined {
    return this.#all.first;
  }

  add(row: TaskRow): void {
    this.#all.add(row);
    this.#replayable.add(row);
    this.#replayChars += row.log?.chars ?? 0;
    const { replayTasks, replayBytes } = this.#limits;
    while (this.#replayable.size > replayTasks || this.#replayChars > replayBytes) {
      if (!this.#compactOldest()) return;
    }
  }

  /** No-op for a task that has not ended. */
  delete(row: TaskRow): void {
    this.#all.delete(row);
    this.#compact(row);
  }

  /** Returns the number of affected tasks. `remove` must also delete the row here. */
  sweep(policy: Retention, now: number, remove: (row: TaskRow) => void): number {
    const { agent, batch, replayMs, deleteFinalAfterMs = Number.POSITIVE_INFINITY } = policy;
    const doomed = olderThan(this.#all, { agent, before: now - deleteFinalAfterMs, limit: batch });
    for (const row of doomed) remove(row);
    const aged = olderThan(this.#replayable, { agent, before: now - replayMs, limit: batch - doomed.length });
    for (const row of aged) this.#compact(row);
    return doomed.length + aged.length;
  }

  #compactOldest(): boolean {
    const oldest = this.#replayable.first;
    if (oldest !== undefined) this.#compact(oldest);
    return oldest !== undefined;
  }

  #compact(row: TaskRow): void {
    if (!this.#replayable.delete(row)) return;
    this.#replayChars -= row.log?.chars ?? 0;
    row.log = undefined;
    row.inbox?.dropTexts();
    this.#usage.recount(row);
  }
}

interface Wanted {
  readonly agent: string;
  readonly before: number;
  readonly limit: number;
}

/** Collects the rows first, because the list must not change during iteration. */
function olderThan(rows: SortedList<TaskRow>, { agent, before, limit }: Wanted): readonly TaskRow[] {
  const found: TaskRow[] = [];
  for (const row of rows.ascending()) {
    if (found.length >= limit || row.statusAt >= before) break;
    if (row.scope.agent === agent) found.push(row);
  }
  return found;
}
