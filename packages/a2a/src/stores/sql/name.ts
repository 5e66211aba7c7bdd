/**
 * Names as columns hold them. SQLite keeps well-formed text only and its driver reads up to the first NUL, so two strange names could
 * become one and open the tasks of somebody else. Strange names are stored as JSON behind a mark, all others as they are.
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
