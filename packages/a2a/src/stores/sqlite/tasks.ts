/** How statements and counts identify tasks. */
import { type RefColumns, TASK_COLUMNS } from '../sql/tasks.js';
import { type Dialect, type TextsRead, textColumns } from '../sql/text-columns.js';
import type { OwnerColumns } from './totals.js';

/** The condition that finds one task; its parameters are `refValues`. */
export const BY_REF = 'agent = ? AND tenant = ? AND owner = ? AND id = ?';

export function ownerOf([agent, tenant, owner]: RefColumns): OwnerColumns {
  return { agent, tenant, owner };
}

export const DIALECT: Dialect = {
  table: (name) => name,
  joined: (text, rows, order) => `(SELECT group_concat(line, char(10)) FROM (SELECT ${text} AS line FROM ${rows} ORDER BY ${order}))`,
  newline: 'char(10)',
};

/** The columns of the task `t`, as `TaskColumns`. */
export function taskColumns(read: TextsRead): string {
  return `${TASK_COLUMNS.replaceAll(/\w+/g, 't.$&')}, ${textColumns(DIALECT, read)}`;
}
