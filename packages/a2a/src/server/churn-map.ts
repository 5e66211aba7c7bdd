/**
 * A Map for large values that come and go with every call. The engine keeps each table that a Map has outgrown, and all that stood in it
 * then, until its next full collection; with many entries added and deleted that is nearly everything that ever was in it, moved and
 * traced again and again. So the tables hold slots, and deleting an entry empties its slot.
 */
export class ChurnMap<V> {
  readonly #slots = new Map<string, { value: V | undefined }>();

  get size(): number {
    return this.#slots.size;
  }

  has(key: string): boolean {
    return this.#slots.has(key);
  }

  get(key: string): V | undefined {
    return this.#slots.get(key)?.value;
  }

  set(key: string, value: V): void {
    this.#slots.set(key, { value });
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    slot.value = undefined;
    this.#slots.delete(key);
  }

  /** Oldest first. */
  *values(): Generator<V, void, undefined> {
    for (const { value } of this.#slots.values()) if (value !== undefined) yield value;
  }
}
