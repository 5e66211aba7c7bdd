/** When readers are told: at once after a quiet time, and then once per frame, however much comes in. */
import type { Clock } from '../../protocol/clock.js';

export class Frames {
  readonly #clock: Clock;
  readonly #frameMs: number;
  readonly #publish: () => void;
  #stop: (() => void) | undefined;
  #isDue = false;

  constructor(options: { readonly clock: Clock; readonly frameMs: number; readonly publish: () => void }) {
    this.#clock = options.clock;
    this.#frameMs = options.frameMs;
    this.#publish = options.publish;
  }

  /** With the next frame. */
  soon(): void {
    if (this.#stop !== undefined) {
      this.#isDue = true;
      return;
    }
    this.#wait();
    this.#publish();
  }

  /** At once. */
  now(): void {
    this.#isDue = false;
    this.#publish();
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #wait(): void {
    // Nobody has to be kept waiting for what would only be shown.
    this.#stop = this.#clock.after(this.#frameMs, () => this.#frame(), { background: true });
  }

  #frame(): void {
    this.#stop = undefined;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#wait();
    this.#publish();
  }
}
