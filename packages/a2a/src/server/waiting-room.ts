/** Where publishes wait while too much is pending: first in, first out. */
import type { A2AError } from '../protocol/errors.js';
import { ignorable } from './ignorable.js';

interface Guest {
  readonly promise: Promise<void>;
  enter(): void;
  leave(error: A2AError): void;
}

export class WaitingRoom {
  #guests: Guest[] = [];

  get isEmpty(): boolean {
    return this.#guests.length === 0;
  }

  /** Waits for a place, then does what it came for. */
  wait(enter: () => Promise<void>): Promise<void> {
    let guest: Guest | undefined;
    const promise = new Promise<void>((resolve, reject) => {
      guest = { promise: Promise.resolve(), enter: () => resolve(enter()), leave: reject };
    });
    if (guest) this.#guests.push({ ...guest, promise });
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
    await this.#guests.at(-1)?.promise;
  }
}
