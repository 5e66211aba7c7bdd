/** Tasks that have to be woken, and cannot be at the moment: they are tried again until the store has answered for each. */
import { refKey, type TaskRef } from '../stores/store.js';
import type { Lease } from './lease.js';
import type { Settings } from './options.js';

export interface LaterWakesParts {
  readonly settings: Pick<Settings, 'clock'>;
  readonly lease: Lease;
  wake(ref: TaskRef): void;
}

const RETRY_MS = 1_000;
const SLOW_CREATES_MS = [5_000, 30_000];
const BACKGROUND = { background: true };

export class LaterWakes {
  readonly #parts: LaterWakesParts;
  /** How each is taken back. */
  readonly #waiting = new Map<string, () => void>();

  constructor(parts: LaterWakesParts) {
    this.#parts = parts;
  }

  /** Once a second, as soon as the lease says that the store can be asked: many at once would be a storm. */
  add(ref: TaskRef): void {
    const { settings, lease } = this.#parts;
    const key = refKey(ref);
    if (this.#waiting.has(key)) return;
    const wake = (): void => {
      this.#waiting.delete(key);
      if (lease.isHeld) this.#parts.wake(ref);
      else this.add(ref);
    };
    this.#waiting.set(key, settings.clock.after(RETRY_MS, wake, BACKGROUND));
  }

  /** The store has answered. */
  remove(ref: TaskRef): void {
    const key = refKey(ref);
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
  }

  /** Whether it was created is not known, and a commit may be slower than whoever asks for it: then nobody else would look for the task. */
  addUnsure(ref: TaskRef): void {
    for (const delayMs of SLOW_CREATES_MS) this.#parts.settings.clock.after(delayMs, () => this.#parts.wake(ref), BACKGROUND);
  }

  /** Whoever comes after us finds them. */
  close(): void {
    for (const takeBack of this.#waiting.values()) takeBack();
    this.#waiting.clear();
  }
}
