/** The rows that callers posted for one task, as its owner reads them: messages in order, cancels past them. */
import type { InboxRow, TaskRef, TaskStore } from '../stores/store.js';

/** Which of the waiting messages are meant. */
export type MailFilter = (row: InboxRow) => boolean;

export interface InboxParts {
  readonly store: TaskStore;
  readonly ref: TaskRef;
  onCancel(row: InboxRow): void;
}

interface Waiter {
  readonly filter: MailFilter;
  come(): void;
  leave(reason: unknown): void;
}

const ANY: MailFilter = () => true;

export class Inbox {
  readonly #parts: InboxParts;
  #messages: InboxRow[] = [];
  #seen = 0;
  #closed = false;
  #waiters: Waiter[] = [];

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** Rows that came with a claim. */
  add(rows: readonly InboxRow[]): void {
    if (this.#closed) return;
    for (const row of rows) {
      if (row.n <= this.#seen) continue;
      this.#seen = row.n;
      if (row.state !== 'pending') continue;
      if (row.kind === 'cancel') this.#parts.onCancel(row);
      else this.#messages.push(row);
    }
    this.#tell();
  }

  /** Fetches what was posted since. Two at once do no harm: a row is added once. */
  async read(): Promise<void> {
    const { store, ref } = this.#parts;
    this.add(await store.inbox(ref, this.#seen));
  }

  /** The newest row that was read. */
  get seen(): number {
    return this.#seen;
  }

  /** Messages that wait to be taken. */
  get size(): number {
    return this.#messages.length;
  }

  has(filter = ANY): boolean {
    return this.#messages.some(filter);
  }

  /** The next message that waits, if any. */
  next(filter = ANY): InboxRow | undefined {
    const next = this.#messages.find(filter);
    if (next !== undefined) this.#messages = this.#messages.filter((row) => row !== next);
    return next;
  }

  /** Resolves when there is such a message. The message stays here until `next` takes it, because the run may be parked meanwhile. */
  arrival(filter = ANY): Promise<void> {
    return new Promise((come, leave) => {
      this.#waiters.push({ filter, come, leave });
      this.#tell();
    });
  }

  /** Rejects all arrivals: messages that come now are for the next turn. */
  dismiss(reason: () => unknown): void {
    if (this.#waiters.length === 0) return;
    for (const { leave } of this.#waiters.splice(0)) leave(reason());
  }

  /** Nothing is added any more. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** The task is released: a read that returns now is for the next owner. */
  close(): void {
    this.#closed = true;
  }

  #tell(): void {
    if (this.#messages.length === 0 || this.#waiters.length === 0) return;
    const waiting = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiting) {
      if (this.has(waiter.filter)) waiter.come();
      else this.#waiters.push(waiter);
    }
  }
}
