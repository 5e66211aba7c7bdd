/** A deep copy; only strings, which are immutable, are shared. For validated JSON, whose depth is limited. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item)) as T; // a list of the same type
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    // Assigning to `__proto__` would change the prototype instead of adding a member.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...MEMBER, value: copyJson(value[name]) });
    else copy[name] = copyJson(value[name]);
  }
  return copy as T; // it has the same members
}

const MEMBER = { writable: true, enumerable: true, configurable: true };

/** Deeper values are copied through their text, which also finds cycles. */
const MAX_LEVELS = 100;
const NOT_PLAIN = Symbol('not plain');

/**
 * Returns what `JSON.parse(JSON.stringify(value))` returns, without the text if the value consists of plain objects, lists and JSON
 * values. Throws what these functions throw, for example for a cycle.
 */
export function copyAsJson(value: unknown): unknown {
  const copy = copyPlain(value, MAX_LEVELS);
  return copy === NOT_PLAIN ? JSON.parse(JSON.stringify(value)) : copy;
}

function copyPlain(value: unknown, levels: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : NOT_PLAIN;
    case 'object':
      if (value === null) return null;
      if (levels === 0) return NOT_PLAIN;
      return Array.isArray(value) ? copyList(value, levels - 1) : copyObject(value, levels - 1);
    default:
      return NOT_PLAIN;
  }
}

function copyList(list: readonly unknown[], levels: number): unknown {
  if (Object.getPrototypeOf(list) !== Array.prototype || 'toJSON' in list) return NOT_PLAIN;
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const item = copyPlain(list[index], levels);
    if (item === NOT_PLAIN) return NOT_PLAIN;
    copy.push(item);
  }
  return copy;
}

function copyObject(value: object, levels: number): unknown {
  // Also without a prototype: `JSON.rawJSON` of later engines makes such objects.
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return NOT_PLAIN;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member: unknown = value[name as keyof typeof value];
    if (member === undefined) continue; // JSON leaves it out
    const copied = copyPlain(member, levels);
    if (copied === NOT_PLAIN || name === '__proto__') return NOT_PLAIN;
    copy[name] = copied;
  }
  return copy;
}
