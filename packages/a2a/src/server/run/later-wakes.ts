/** Tasks that must be woken but cannot be at the moment. Retries each until the store has answered. */
import { refKey, type TaskRef } from '../../stores/store.js';
import type { Lease } from '../node/lease.js';
import type { Settings } from '../options.js';

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
  /** The function that cancels each pending wake. */
  readonly #waiting = new Map<string, () => void>();

  constructor(parts: LaterWakesParts) {
    this.#parts = parts;
  }

  /** Retries after one second, and only while the lease is held. Immediate retries of many tasks would be a storm. */
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

  /** The store has answered for this task. */
  remove(ref: TaskRef): void {
    const key = refKey(ref);
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
  }

  /**
   * It is unknown whether the task was created: a slow commit may succeed after it was checked. Without these wakes, no node would look for
   * the task.
   */
  addUnsure(ref: TaskRef): void {
    for (const delayMs of SLOW_CREATES_MS) this.#parts.settings.clock.after(delayMs, () => this.#parts.wake(ref), BACKGROUND);
  }

  /** The next owner finds these tasks. */
  close(): void {
    for (const takeBack of this.#waiting.values()) takeBack();
    this.#waiting.clear();
  }
}
