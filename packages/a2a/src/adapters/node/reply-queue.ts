/** Writes the replies of one event-loop iteration together, which costs the server much less than writing each as soon as it is known. */
import { IterationLoad } from '../../platform/iteration-load.js';

/** Writes one reply. */
type Write = () => void;

export class ReplyQueue {
  readonly #load = new IterationLoad();
  #writes: Write[] = [];

  /** Call it when a request begins; pass the result to `add`. */
  begin(): number {
    this.#load.add();
    return this.#load.iteration;
  }

  /** Writes at once if the iteration of the request is over, or if it had no other request. */
  add(began: number, write: Write): void {
    if (began !== this.#load.iteration || !this.#load.isShared) {
      write();
      return;
    }
    this.#writes.push(write);
    if (this.#writes.length === 1) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const writes = this.#writes;
    this.#writes = [];
    for (const write of writes) {
      try {
        write();
      } catch (error) {
        // Uncaught, as it would be for a reply on its own; but the other replies are written.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  };
}
