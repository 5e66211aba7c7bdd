/** Whether two values say the same, however often they are written anew: options in JSX are a new object in each render. */

const DEEPEST = 12;

/** Equal for values that hold the same plain data, in whatever order. What is no data (functions, clients, storages) does not count. */
export function valueKey(value: unknown): string {
  return JSON.stringify(toPlain(value, 0)) ?? '';
}

function toPlain(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof URL) return value.href;
  // Nobody's options are that deep: it goes in circles.
  if (depth === DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((item) => toPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, toPlain(item, depth + 1)]));
}
