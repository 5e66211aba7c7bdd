/** Names as parameters. */
import { SEPARATOR } from '../sql/name.js';
import { refValues } from '../sql/tasks.js';
import type { TaskRef } from '../store.js';

/** What `refOf` of the database is compared with. */
export function refValue(ref: TaskRef): string {
  return refValues(ref).join(SEPARATOR);
}

/** The places of the names in `refValues`. */
export const NAME_COLUMNS = [0, 1, 2, 3] as const;

/** One column of several rows, as `split` of the database takes it apart. */
export function joinColumn(rows: readonly (readonly string[])[], column: number): string {
  return rows.map((row) => row[column] ?? '').join(SEPARATOR);
}
