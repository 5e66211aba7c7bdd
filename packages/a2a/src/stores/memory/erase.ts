/** Erases tasks on request, in any state (D60). */
import type { ContextRef, TaskRef } from '../store.js';
import { removeTask } from './room.js';
import type { Tables } from './tables.js';
import { refOf, type TaskRow } from './task-row.js';

export function erase(tables: Tables, ref: TaskRef): boolean {
  const row = tables.tasks.find(ref);
  if (row !== undefined) eraseRow(tables, row);
  return row !== undefined;
}

/** The rows are collected first, because the list must not change during iteration. */
export function eraseContext(tables: Tables, context: ContextRef, limit: number): readonly TaskRef[] {
  const rows: TaskRow[] = [];
  for (const row of tables.tasks.newestFirst(context)) {
    if (rows.length >= limit) break;
    rows.push(row);
  }
  for (const row of rows) eraseRow(tables, row);
  if (rows.length === 0) tables.requests.eraseReplies(context);
  return rows.map(refOf);
}

function eraseRow(tables: Tables, row: TaskRow): void {
  tables.requests.eraseOf(refOf(row));
  removeTask(tables, row);
}
