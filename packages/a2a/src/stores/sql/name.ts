/**
 * Names as stored in columns. Databases store only well-formed text; the SQLite driver reads up to the first NUL, and PostgreSQL refuses
 * NUL. So two unusual names could become equal and give access to another owner's tasks. Such names are stored as JSON after a mark; all
 * others are stored unchanged.
 */

/** Separates joined texts. JSON escapes this character, and no stored name contains it. */
export const SEPARATOR = '\u001e';

/** The first character of an encoded name; never a whole name. */
export const MARK = '\u0001';
const LONE_SURROGATE = /\p{Surrogate}/u;

export function toColumn(name: string): string {
  const isStrange = LONE_SURROGATE.test(name) || name.includes('\0') || name.includes(SEPARATOR) || name.startsWith(MARK);
  return isStrange ? MARK + JSON.stringify(name) : name;
}

export function fromColumn(column: string): string {
  return column.startsWith(MARK) ? (JSON.parse(column.slice(MARK.length)) as string) : column;
}
