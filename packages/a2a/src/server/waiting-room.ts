/** Where publishes wait while too much is pending: first in, first out. */
import type { A2AError } from '../protocol/errors.js';
import { ignorable } from './ignorable.js';

interface Guest {
  enter(): void;
  leave(error: A2AError): void;
}

export class WaitingRoom {
  #guests: Guest[] = [];
  #last: Promise<void> = Promise.resolve();

  get isEmpty(): boolean {
    return this.#guests.length === 0;
  }

  /** Waits for a place, then does what it came for. */
  wait(enter: () => Promise<void>): Promise<void> {
    const promise = new Promise<void>((resolve, leave) => {
      this.#guests.push({ enter: () => resolve(enter()), leave });
    });
    this.#last = promise;
    return ignorable(promise);
  }

  /** Lets guests in while there is room. */
  open(hasRoom: () => boolean): void {
    while (this.#guests.length > 0 && hasRoom()) this.#guests.shift()?.enter();
  }

  /** Sends everybody away. */
  empty(error: A2AError): void {
    for (const guest of this.#guests.splice(0)) guest.leave(error);
  }

  /** Resolves when the one who came last is in. */
  async last(): Promise<void> {
    if (!this.isEmpty) await this.#last;
  }
}
