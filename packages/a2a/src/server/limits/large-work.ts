/**
 * Large requests are processed one after another. Decoding, parsing, checking, serializing and committing a message makes about ten texts of
 * its size; with eight of them at once, these texts fill the memory, and one commit with all of them delays the small ones beside it.
 */
import { systemClock } from '../../platform/system-clock.js';
import type { Share } from './share-counter.js';

/** Being processed; the next request has to wait until this one ends. */
export interface LargeTurn {
  /** Call it when the message is in the store, or was refused. Further calls have no effect. */
  end(): void;
}

interface Waiting {
  readonly bytes: number;
  start(turn: LargeTurn): void;
}

/** In total. The largest body that the default limits allow fills it. */
const MAX_BYTES = 4 * 1024 * 1024;
/** An executor may take its time before the message is stored: others do not wait for it. */
const MAX_TURN_MS = 1_000;

export class LargeWork {
  readonly #maxBytes: number;
  #bytes = 0;
  /** By caller, in the order in which the callers get their next turn. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Resolves when a request of this size may be processed. Callers take turns, so that many requests of one do not delay the others. */
  enter({ key }: Share, bytes: number): Promise<LargeTurn> {
    return new Promise((start) => {
      const queue = this.#waiting.get(key);
      if (queue === undefined) this.#waiting.set(key, [{ bytes, start }]);
      else queue.push({ bytes, start });
      this.#startNext();
    });
  }

  #startNext(): void {
    for (const [key, queue] of this.#waiting) {
      const [first] = queue;
      if (first !== undefined && this.#bytes > 0 && this.#bytes + first.bytes > this.#maxBytes) return;
      this.#waiting.delete(key);
      queue.shift();
      if (queue.length > 0) this.#waiting.set(key, queue); // behind the other callers
      first?.start(this.#begin(first.bytes));
    }
  }

  #begin(bytes: number): LargeTurn {
    this.#bytes += bytes;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      stopTimer();
      this.#bytes -= bytes;
      this.#startNext();
    };
    // Not by the agent's clock: a manual clock would stop all other large requests.
    const stopTimer = systemClock.after(MAX_TURN_MS, end, { background: true });
    return { end };
  }
}
