/**
 * Syncs commits to disk. SQLite would do it within a commit and block the event loop for milliseconds. This class syncs the WAL file on the
 * thread pool; all commits that are made meanwhile share the next sync.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';

export class DiskSync {
  readonly #file: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.#file = openSync(path, 'r+');
  }

  /** Resolves when everything written before the call is on disk. */
  async reached(): Promise<void> {
    // A running sync may have begun before our write: wait for the next one.
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<void> | undefined): Promise<void> {
    // The callers that waited for the previous sync get its failure.
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
