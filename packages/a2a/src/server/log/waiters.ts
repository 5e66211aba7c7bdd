/** The callers that wait for a writer: publishes that wait for room, and flushes that wait for a commit. Both are first in, first out. */

import { ignorable } from '../../platform/ignorable.js';
import type { A2AError } from '../../protocol/errors.js';

/** A publish that waits while too many entries are pending. */
interface WaitingPublish {
  enter(): void;
  refuse(error: A2AError): void;
}

export class WaitingPublishes {
  #waiting: WaitingPublish[] = [];
  #last: Promise<void> = DONE;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Queues the publish and performs it when there is room. */
  wait(enter: () => Promise<void>): Promise<void> {
    const promise = new Promise<void>((resolve, refuse) => {
      this.#waiting.push({ enter: () => resolve(enter()), refuse });
    });
    this.#last = promise;
    return ignorable(promise);
  }

  /** Performs queued publishes while there is room. */
  admit(hasRoom: () => boolean): void {
    while (this.#waiting.length > 0 && hasRoom()) this.#waiting.shift()?.enter();
  }

  /** Rejects all queued publishes. */
  refuse(error: A2AError): void {
    for (const publish of this.#waiting.splice(0)) publish.refuse(error);
  }

  /** Resolves when the last queued publish was performed. */
  last(): Promise<void> {
    return this.isEmpty ? DONE : this.#last;
  }
}

/** A caller that waits until this seq is committed. */
interface Flush {
  readonly seq: number;
  resolve(): void;
  reject(error: A2AError): void;
}

export class Flushes {
  /** Ordered by seq. */
  readonly #waiting: Flush[] = [];

  wait(seq: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ seq, resolve, reject });
    });
  }

  /** Resolves those that wait for this seq or an earlier one. */
  resolve(committed: number): void {
    for (let next = this.#waiting[0]; next && next.seq <= committed; next = this.#waiting[0]) {
      this.#waiting.shift();
      next.resolve();
    }
  }

  reject(error: A2AError): void {
    for (const flush of this.#waiting.splice(0)) flush.reject(error);
  }
}

/** Shared, because most calls need not wait. */
export const DONE = Promise.resolve();
