/** Drops undefined members, so that an option set to undefined counts as absent. */
export function definedOnly<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // `Object.entries` loses the types of the values; the remaining ones are the object's own.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
