/** Names as query parameters. */
import { SEPARATOR } from '../sql/name.js';
import { refValues } from '../sql/tasks.js';
import type { TaskRef } from '../store.js';

/** The value to compare with the SQL expression `refOf`. */
export function refValue(ref: TaskRef): string {
  return refValues(ref).join(SEPARATOR);
}

/** The indexes of the names in `refValues`. */
export const NAME_COLUMNS = [0, 1, 2, 3] as const;

/** One column of several rows as one text; the SQL function `split` reverses it. */
export function joinColumn(rows: readonly (readonly string[])[], column: number): string {
  return rows.map((row) => row[column] ?? '').join(SEPARATOR);
}
