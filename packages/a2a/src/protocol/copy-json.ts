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
