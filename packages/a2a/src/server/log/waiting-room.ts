/** Queue of publishes that wait while too many entries are pending: first in, first out. */

import { ignorable } from '../../platform/ignorable.js';
import type { A2AError } from '../../protocol/errors.js';

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

  /** Queues the publish and performs it when there is room. */
  wait(enter: () => Promise<void>): Promise<void> {
    const promise = new Promise<void>((resolve, leave) => {
      this.#guests.push({ enter: () => resolve(enter()), leave });
    });
    this.#last = promise;
    return ignorable(promise);
  }

  /** Performs queued publishes while there is room. */
  open(hasRoom: () => boolean): void {
    while (this.#guests.length > 0 && hasRoom()) this.#guests.shift()?.enter();
  }

  /** Rejects all queued publishes. */
  empty(error: A2AError): void {
    for (const guest of this.#guests.splice(0)) guest.leave(error);
  }

  /** Resolves when the last queued publish was performed. */
  async last(): Promise<void> {
    if (!this.isEmpty) await this.#last;
  }
}
