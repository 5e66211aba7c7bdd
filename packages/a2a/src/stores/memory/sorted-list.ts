/**
 * A list that stays sorted while it changes. It consists of buckets of a few hundred items, found by binary search. Adding and deleting
 * move the items of one bucket at most, and counting sums bucket lengths, so the cost hardly depends on the number of items.
 */
const FULL = 512;
const SPARSE = FULL / 4;

/** Must be true for all items before some position and false for all items after it, because the position is found by binary search. */
export type InFront<T> = (item: T) => boolean;

export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  /** No bucket is empty. */
  readonly #buckets: T[][] = [];
  #size = 0;

  /** `compare` must not return 0 for two different items, or `delete` may miss the item. */
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
    if (bucket === undefined) throw new TypeError('Unreachable: an item that is not the last one has a bucket');
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

  /** The number of items before the position. */
  rank(inFront: InFront<T>): number {
    const at = this.#bucketAt(inFront);
    let count = 0;
    for (let index = 0; index < at; index += 1) count += this.#buckets[index]?.length ?? 0;
    const bucket = this.#buckets[at];
    return bucket === undefined ? count : count + prefixLength(bucket, inFront);
  }

  /** The items before the position (all items if it is absent), last first. The list must not change during iteration. */
  *descending(inFront?: InFront<T>): Generator<T, void, undefined> {
    let at = inFront === undefined ? this.#buckets.length : this.#bucketAt(inFront);
    const cut = this.#buckets[at];
    if (cut !== undefined && inFront !== undefined) yield* backwards(cut, prefixLength(cut, inFront));
    for (at -= 1; at >= 0; at -= 1) {
      const bucket = this.#buckets[at];
      if (bucket !== undefined) yield* backwards(bucket, bucket.length);
    }
  }

  /** All items, first first. The list must not change during iteration. */
  *ascending(): Generator<T, void, undefined> {
    for (const bucket of this.#buckets) yield* bucket;
  }

  /** Items mostly arrive in order; then no search is needed. */
  #isLast(item: T): boolean {
    const last = this.#buckets.at(-1)?.at(-1);
    return last === undefined || this.#compare(last, item) < 0;
  }

  #inFrontOf(item: T): InFront<T> {
    return (other) => this.#compare(other, item) < 0;
  }

  /** The index of the first bucket that is not entirely before the position. */
  #bucketAt(inFront: InFront<T>): number {
    return prefixLength(this.#buckets, (bucket) => {
      const last = bucket.at(-1);
      return last !== undefined && inFront(last);
    });
  }

  /** Starts a new bucket instead of splitting: buckets that are filled in order stay full. */
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
