/** Web Locks in one process; exclusive locks only. */
import type { TabLocks } from '../conversation.js';

interface Owner {
  readonly isAlive: boolean;
}

interface Wish {
  readonly name: string;
  readonly owner: Owner;
  /** null: the lock was not available at once. */
  grant(lock: { readonly name: string } | null): Promise<void>;
}

export class FakeLocks {
  readonly #defer: (step: () => void) => void;
  readonly #held = new Map<string, Wish>();
  readonly #queued: Wish[] = [];

  constructor(defer: (step: () => void) => void) {
    this.#defer = defer;
  }

  /** The locks as one tab sees them. */
  of(owner: Owner): TabLocks {
    return {
      request: (name, { ifAvailable = false, signal }, callback) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const wish: Wish = { name, owner, grant: async (lock) => (async () => callback(lock))().then(resolve, reject) };
          const giveUp = (): void => {
            const index = this.#queued.indexOf(wish);
            if (index >= 0) this.#queued.splice(index, 1);
            if (this.#held.get(name) !== wish) reject(signal?.reason);
          };
          signal?.addEventListener('abort', giveUp);
          this.#defer(() => this.#arrive(wish, ifAvailable, signal));
        }),
    };
  }

  /** Releases the locks and requests of a closed tab. */
  releaseAll(owner: Owner): void {
    for (const wish of this.#queued.filter((one) => one.owner === owner)) this.#queued.splice(this.#queued.indexOf(wish), 1);
    for (const [, wish] of [...this.#held]) if (wish.owner === owner) this.#release(wish);
  }

  #arrive(wish: Wish, ifAvailable: boolean, signal: AbortSignal | undefined): void {
    if (!wish.owner.isAlive || signal?.aborted) return;
    const isFree = !this.#held.has(wish.name) && !this.#queued.some(({ name }) => name === wish.name);
    if (ifAvailable && !isFree) {
      this.#defer(() => void (wish.owner.isAlive && wish.grant(null)));
      return;
    }
    this.#queued.push(wish);
    this.#next(wish.name);
  }

  #next(name: string): void {
    if (this.#held.has(name)) return;
    const wish = this.#queued.find((one) => one.name === name);
    if (wish === undefined) return;
    this.#queued.splice(this.#queued.indexOf(wish), 1);
    this.#held.set(name, wish);
    this.#defer(() => void this.#hold(wish));
  }

  async #hold(wish: Wish): Promise<void> {
    if (!wish.owner.isAlive) return;
    await wish.grant({ name: wish.name });
    this.#release(wish);
  }

  #release(wish: Wish): void {
    if (this.#held.get(wish.name) !== wish) return;
    this.#held.delete(wish.name);
    this.#defer(() => this.#next(wish.name));
  }
}
