/** JSON with members in alphabetical order: equal values have equal texts, independent of the order of their members. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, inOrder);
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = value as Readonly<Record<string, unknown>>; // just checked
  const names = Object.keys(members).sort();
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}
