/**
 * Names as columns hold them. Databases keep well-formed text only; SQLite's driver reads up to the first NUL, and PostgreSQL takes none. So
 * two strange names could become one and open the tasks of somebody else. They are stored as JSON behind a mark, all others as they are.
 */

/** Stands between texts that are joined: not in JSON, which escapes it, and in no name as a column holds it. */
export const SEPARATOR = '\u001e';

/** Begins a strange name, and is never alone. */
export const MARK = '\u0001';
const LONE_SURROGATE = /\p{Surrogate}/u;

export function toColumn(name: string): string {
  const isStrange = LONE_SURROGATE.test(name) || name.includes('\0') || name.includes(SEPARATOR) || name.startsWith(MARK);
  return isStrange ? MARK + JSON.stringify(name) : name;
}

export function fromColumn(column: string): string {
  return column.startsWith(MARK) ? (JSON.parse(column.slice(MARK.length)) as string) : column;
}
