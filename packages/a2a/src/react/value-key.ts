/** A key to compare options by value: options written in JSX are a new object in each render. */

const DEEPEST = 12;

/**
 * The same key for values with the same plain data, whatever the order of their fields. Other values (functions, clients, storages) are
 * ignored.
 */
export function valueKey(value: unknown): string {
  return JSON.stringify(toPlain(value, 0)) ?? '';
}

function toPlain(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof URL) return value.href;
  // No option is nested that deeply: the value contains a cycle.
  if (depth === DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((item) => toPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, toPlain(item, depth + 1)]));
}
