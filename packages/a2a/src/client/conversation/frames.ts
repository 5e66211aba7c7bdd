/** Decides when the state is published: at once after a pause, then at most once per frame, however many chunks arrive. */
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

  /** Publishes at once after a pause, otherwise with the next frame. */
  soon(): void {
    if (this.#stop !== undefined) {
      this.#isDue = true;
      return;
    }
    this.#wait();
    this.#publish();
  }

  /** Publishes at once. */
  now(): void {
    this.#isDue = false;
    this.#publish();
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #wait(): void {
    // A background timer: a pending frame must not keep the process alive.
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
