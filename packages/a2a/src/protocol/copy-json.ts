/** A copy that shares nothing but its texts, which nobody can change. For plain JSON that was checked: what is too deep was refused. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T; // a list of the same
  // fromEntries defines members instead of assigning them, so a key named __proto__ is just a key.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyJson(member)])) as T;
}
