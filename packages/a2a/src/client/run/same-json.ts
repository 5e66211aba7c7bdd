/** Returns true if two JSON values are equal, regardless of the order of their members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const ours = Object.entries(one);
  const theirs = new Map<string, unknown>(Object.entries(other));
  return ours.length === theirs.size && ours.every(([name, value]) => theirs.has(name) && isSameJson(value, theirs.get(name)));
}
