/**
 * A Map for large values that are added and deleted with every call. The engine keeps each internal table that a Map has outgrown, with all
 * values that it held, until the next full garbage collection. With many additions and deletions, those tables keep almost all earlier
 * values alive, and the collector traces them again and again. So the tables hold small slots, and deleting an entry clears its slot.
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
