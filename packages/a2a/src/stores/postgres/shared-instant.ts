/**
 * An instant that two threads share. Its age is the longer one of two clocks: the monotonic clock does not jump, and the wall clock also
 * counts while the machine sleeps.
 *
 * The thread gets this class as text (`heartbeat.ts`), so it uses only globals.
 */
export class SharedInstant {
  /** The memory for `count` instants. */
  static memory(count: number): SharedArrayBuffer {
    return new SharedArrayBuffer(count * 16);
  }

  readonly #slots: BigInt64Array;

  constructor(buffer: SharedArrayBuffer, index: number) {
    this.#slots = new BigInt64Array(buffer, index * 16, 2);
  }

  /** Milliseconds since the instant; Infinity before the first `set`. */
  get agoMs(): number {
    const [steady, wall] = [Number(Atomics.load(this.#slots, 0)), Number(Atomics.load(this.#slots, 1))];
    if (steady === 0) return Number.POSITIVE_INFINITY;
    return Math.max(performance.timeOrigin + performance.now() - steady, Date.now() - wall);
  }

  /** Rounds down: an instant that seems older is safe, one that seems younger is not. */
  set(agoMs = 0): void {
    // If the other thread reads between the two, it sees the older one of both ages.
    Atomics.store(this.#slots, 1, BigInt(Math.floor(Date.now() - agoMs)));
    Atomics.store(this.#slots, 0, BigInt(Math.floor(performance.timeOrigin + performance.now() - agoMs)));
  }
}
