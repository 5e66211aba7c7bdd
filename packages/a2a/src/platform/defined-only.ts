/** So that an option given as undefined is one that was not given. */
export function definedOnly<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Entries lose the types of their values; those that stay are the object's own.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
