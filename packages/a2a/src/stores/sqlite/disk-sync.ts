/**
 * Asks the disk to keep what was committed. SQLite would do so in the middle of a commit and stop the event loop for milliseconds; this
 * syncs its write-ahead log from the thread pool, and all commits that are made meanwhile share the next sync.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';

export class DiskSync {
  readonly #file: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.#file = openSync(path, 'r+');
  }

  /** Resolves when everything that was written before the call is on the disk. */
  async reached(): Promise<void> {
    // A sync under way may have begun before our write: wait for the one after it.
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<void> | undefined): Promise<void> {
    // Its failure is told to those who waited for it.
    await running?.catch(() => {});
    const sync = this.#sync();
    this.#running = sync;
    this.#next = undefined;
    await sync;
  }

  #sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#file, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => {});
    closeSync(this.#file);
  }
}
