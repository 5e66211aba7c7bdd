/** The rows that callers posted for one task, as its owner reads them: messages in order, cancels past them. */
import type { InboxRow, TaskRef, TaskStore } from '../stores/store.js';

export class Inbox {
  readonly #store: TaskStore;
  readonly #ref: TaskRef;
  readonly #onCancel: (row: InboxRow) => void;
  readonly #messages: InboxRow[] = [];
  #seen = 0;
  #closed = false;
  #waiters: { come(): void; leave(reason: unknown): void }[] = [];

  constructor(store: TaskStore, ref: TaskRef, onCancel: (row: InboxRow) => void) {
    this.#store = store;
    this.#ref = ref;
    this.#onCancel = onCancel;
  }

  /** Rows that came with a claim. */
  add(rows: readonly InboxRow[]): void {
    if (this.#closed) return;
    for (const row of rows) {
      if (row.n <= this.#seen) continue;
      this.#seen = row.n;
      if (row.state !== 'pending') continue;
      if (row.kind === 'cancel') this.#onCancel(row);
      else this.#messages.push(row);
    }
    this.#tell();
  }

  /** Fetches what was posted since. Two at once do no harm: a row is added once. */
  async read(): Promise<void> {
    this.add(await this.#store.inbox(this.#ref, this.#seen));
  }

  /** The newest row that was read. */
  get seen(): number {
    return this.#seen;
  }

  /** Messages that wait to be taken. */
  get size(): number {
    return this.#messages.length;
  }

  get hasNext(): boolean {
    return this.#messages.length > 0;
  }

  /** The next message that waits, if any. */
  next(): InboxRow | undefined {
    return this.#messages.shift();
  }

  /** Resolves when there is a message. It stays here until `next` takes it: whoever waited may have been let go meanwhile. */
  arrival(): Promise<void> {
    return new Promise((come, leave) => {
      this.#waiters.push({ come, leave });
      this.#tell();
    });
  }

  /** Nobody is to wait any more: what comes now is for the next turn. */
  dismiss(reason: () => unknown): void {
    if (this.#waiters.length === 0) return;
    for (const { leave } of this.#waiters.splice(0)) leave(reason());
  }

  /** Nothing is added any more. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** The task is let go: a read that comes back now is for whoever claims it. */
  close(): void {
    this.#closed = true;
  }

  #tell(): void {
    if (this.hasNext) for (const { come } of this.#waiters.splice(0)) come();
  }
}
