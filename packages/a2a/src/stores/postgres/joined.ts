import { SEPARATOR } from '../sql/name.js';

/** One column of several rows of names, as `split` of the database takes it apart. */
export function joinNames(rows: readonly (readonly string[])[], column: number): string {
  return rows.map((row) => row[column] ?? '').join(SEPARATOR);
}
