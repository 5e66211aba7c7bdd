/** Writes the replies of one event-loop iteration together, which costs the server much less than writing each as soon as it is known. */
import { IterationLoad } from '../../platform/iteration-load.js';

/** Writes one reply. It handles its own errors: they must not reach the other replies. */
type Write = () => void;

export class ReplyQueue {
  readonly #load = new IterationLoad();
  #writes: Write[] = [];

  /** Call it when a request begins; pass the result to `add`. */
  begin(): number {
    this.#load.add();
    return this.#load.iteration;
  }

  /** A reply that took longer than its iteration has waited already, and a reply to the only request has nothing to wait for. */
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
    for (const write of writes) write();
  };
}
