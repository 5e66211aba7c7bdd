/** Web Locks in one process; exclusive locks only. */
import type { TabLocks } from '../conversation.js';

interface Owner {
  readonly isAlive: boolean;
}

interface LockRequest {
  readonly name: string;
  readonly owner: Owner;
  /** null: the lock was not available at once. */
  grant(lock: { readonly name: string } | null): Promise<void>;
}

export class FakeLocks {
  readonly #defer: (step: () => void) => void;
  readonly #held = new Map<string, LockRequest>();
  readonly #queued: LockRequest[] = [];

  constructor(defer: (step: () => void) => void) {
    this.#defer = defer;
  }

  /** The locks as one tab sees them. */
  of(owner: Owner): TabLocks {
    return {
      request: (name, { ifAvailable = false, signal }, callback) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const request: LockRequest = { name, owner, grant: async (lock) => (async () => callback(lock))().then(resolve, reject) };
          const giveUp = (): void => {
            const index = this.#queued.indexOf(request);
            if (index >= 0) this.#queued.splice(index, 1);
            if (this.#held.get(name) !== request) reject(signal?.reason);
          };
          signal?.addEventListener('abort', giveUp);
          this.#defer(() => this.#arrive(request, ifAvailable, signal));
        }),
    };
  }

  /** Releases the locks and requests of a closed tab. */
  releaseAll(owner: Owner): void {
    for (const request of this.#queued.filter((one) => one.owner === owner)) this.#queued.splice(this.#queued.indexOf(request), 1);
    for (const [, request] of [...this.#held]) if (request.owner === owner) this.#release(request);
  }

  #arrive(request: LockRequest, ifAvailable: boolean, signal: AbortSignal | undefined): void {
    if (!request.owner.isAlive || signal?.aborted) return;
    const isFree = !this.#held.has(request.name) && !this.#queued.some(({ name }) => name === request.name);
    if (ifAvailable && !isFree) {
      this.#defer(() => void (request.owner.isAlive && request.grant(null)));
      return;
    }
    this.#queued.push(request);
    this.#next(request.name);
  }

  #next(name: string): void {
    if (this.#held.has(name)) return;
    const request = this.#queued.find((one) => one.name === name);
    if (request === undefined) return;
    this.#queued.splice(this.#queued.indexOf(request), 1);
    this.#held.set(name, request);
    this.#defer(() => void this.#hold(request));
  }

  async #hold(request: LockRequest): Promise<void> {
    if (!request.owner.isAlive) return;
    await request.grant({ name: request.name });
    this.#release(request);
  }

  #release(request: LockRequest): void {
    if (this.#held.get(request.name) !== request) return;
    this.#held.delete(request.name);
    this.#defer(() => this.#next(request.name));
  }
}
