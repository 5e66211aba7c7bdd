/**
 * A list that stays sorted while it changes: buckets of a few hundred items, found by binary search. Adding and deleting move at most
 * one bucket, and counting adds up bucket lengths, so the cost barely depends on how many items there are.
 */
const FULL = 512;
const SPARSE = FULL / 4;

/** True for the items in front of some place, and for no other: then a place is found by halving. */
export type InFront<T> = (item: T) => boolean;

export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  /** None is empty. */
  readonly #buckets: T[][] = [];
  #size = 0;

  /** `compare` must tell any two items apart, or `delete` may miss. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#buckets[0]?.[0];
  }

  add(item: T): void {
    if (this.#isLast(item)) {
      this.#size += 1;
      this.#append(item);
      return;
    }
    const inFront = this.#inFrontOf(item);
    const at = this.#bucketAt(inFront);
    const bucket = this.#buckets[at];
    if (bucket === undefined) throw new TypeError('an item that is not the last has one behind it');
    this.#size += 1;
    bucket.splice(prefixLength(bucket, inFront), 0, item);
    if (bucket.length > FULL) this.#buckets.splice(at + 1, 0, bucket.splice(FULL / 2));
  }

  /** The item must still compare as it did when it was added. */
  delete(item: T): boolean {
    const inFront = this.#inFrontOf(item);
    const at = this.#bucketAt(inFront);
    const bucket = this.#buckets[at];
    if (bucket === undefined) return false;
    const place = prefixLength(bucket, inFront);
    if (bucket[place] !== item) return false;
    bucket.splice(place, 1);
    this.#size -= 1;
    if (bucket.length < SPARSE) this.#tidy(at, bucket);
    return true;
  }

  /** How many items are in front of the place. */
  rank(inFront: InFront<T>): number {
    const at = this.#bucketAt(inFront);
    let count = 0;
    for (let index = 0; index < at; index += 1) count += this.#buckets[index]?.length ?? 0;
    const bucket = this.#buckets[at];
    return bucket === undefined ? count : count + prefixLength(bucket, inFront);
  }

  /** The items in front of the place (without one: all), last first. The list must not change meanwhile. */
  *descending(inFront?: InFront<T>): Generator<T, void, undefined> {
    let at = inFront === undefined ? this.#buckets.length : this.#bucketAt(inFront);
    const cut = this.#buckets[at];
    if (cut !== undefined && inFront !== undefined) yield* backwards(cut, prefixLength(cut, inFront));
    for (at -= 1; at >= 0; at -= 1) {
      const bucket = this.#buckets[at];
      if (bucket !== undefined) yield* backwards(bucket, bucket.length);
    }
  }

  /** All items, first first. The list must not change meanwhile. */
  *ascending(): Generator<T, void, undefined> {
    for (const bucket of this.#buckets) yield* bucket;
  }

  /** Items mostly come in order: nothing has to be searched then. */
  #isLast(item: T): boolean {
    const last = this.#buckets.at(-1)?.at(-1);
    return last === undefined || this.#compare(last, item) < 0;
  }

  #inFrontOf(item: T): InFront<T> {
    return (other) => this.#compare(other, item) < 0;
  }

  /** The first bucket that does not lie in front as a whole. */
  #bucketAt(inFront: InFront<T>): number {
    return prefixLength(this.#buckets, (bucket) => {
      const last = bucket.at(-1);
      return last !== undefined && inFront(last);
    });
  }

  /** Full buckets stay full instead of being split. */
  #append(item: T): void {
    const last = this.#buckets.at(-1);
    if (last === undefined || last.length >= FULL) this.#buckets.push([item]);
    else last.push(item);
  }

  #tidy(at: number, bucket: T[]): void {
    if (bucket.length === 0) {
      this.#buckets.splice(at, 1);
      return;
    }
    const next = this.#buckets[at + 1];
    if (next === undefined || next.length + bucket.length > FULL) return;
    this.#buckets.splice(at, 2, bucket.concat(next));
  }
}

function prefixLength<T>(items: readonly T[], inFront: InFront<T>): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && inFront(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* backwards<T>(items: readonly T[], end: number): Generator<T, void, undefined> {
  for (let index = end - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item !== undefined) yield item;
  }
}
