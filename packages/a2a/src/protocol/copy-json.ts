/** A copy that shares nothing but its texts, which nobody can change. For plain JSON that was checked: what is too deep was refused. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item)) as T; // a list of the same
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    // Assigning to `__proto__` would change the prototype instead of adding a member.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...MEMBER, value: copyJson(value[name]) });
    else copy[name] = copyJson(value[name]);
  }
  return copy as T; // the same members
}

const MEMBER = { writable: true, enumerable: true, configurable: true };
