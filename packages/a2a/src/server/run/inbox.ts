/** The rows that callers posted for one task, as its owner reads them: messages in order, cancels ahead of them. */
import { isLarge, nextIteration } from '../../platform/slices.js';
import type { Clock } from '../../protocol/clock.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { TaskStatus } from '../../protocol/types.js';
import type { InboxRow, TaskRef, TaskStore } from '../../stores/store.js';
import { type InputAs, type TurnRequest, withTaskIds } from '../log/entries.js';
import type { TaskWriter } from '../log/writer.js';

/** Selects waiting messages. */
export type MailFilter = (row: InboxRow) => boolean;

export interface InboxParts {
  readonly store: TaskStore;
  readonly ref: TaskRef;
  readonly clock: Clock;
  onCancel(row: InboxRow): void;
}

interface Waiter {
  readonly filter: MailFilter;
  come(): void;
  leave(reason: unknown): void;
}

const ANY: MailFilter = () => true;
/** The time until a failed read of the store is tried again. */
export const RETRY_MS = 1_000;

export class Inbox {
  readonly #parts: InboxParts;
  #messages: InboxRow[] = [];
  #seen = 0;
  #closed = false;
  #waiters: Waiter[] = [];
  #takeBack: (() => void) | undefined;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** Adds rows from a read or a claim. */
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

  /** Reads the rows posted since the last read. Concurrent reads are harmless: a row is added once. */
  async read(): Promise<void> {
    const { store, ref } = this.#parts;
    this.add(await store.inbox(ref, this.#seen));
  }

  /** Reads, and after a failure again every RETRY_MS until a read succeeds or the inbox is closed: the sender of a new row waits for it. */
  readWithRetry(): void {
    this.read().catch(() => {
      if (this.#takeBack !== undefined || this.#closed) return;
      this.#takeBack = this.#parts.clock.after(RETRY_MS, () => {
        this.#takeBack = undefined;
        this.readWithRetry();
      });
    });
  }

  /** The number of the newest row that was read. */
  get seen(): number {
    return this.#seen;
  }

  /** Number of messages that wait. */
  get size(): number {
    return this.#messages.length;
  }

  has(filter = ANY): boolean {
    return this.#messages.some(filter);
  }

  /** Removes and returns the next waiting message, if any. */
  next(filter = ANY): InboxRow | undefined {
    const next = this.#messages.find(filter);
    if (next !== undefined) this.#messages = this.#messages.filter((row) => row !== next);
    return next;
  }

  /**
   * Resolves when such a message is waiting. The message stays in the inbox until `next` takes it, because the run may be parked in
   * between.
   */
  arrival(filter = ANY): Promise<void> {
    return new Promise((come, leave) => {
      this.#waiters.push({ filter, come, leave });
      this.#tell();
    });
  }

  /** Rejects all arrivals: later messages are for the next turn. */
  dismiss(reason: () => unknown): void {
    if (this.#waiters.length === 0) return;
    for (const { leave } of this.#waiters.splice(0)) leave(reason());
  }

  /** The task is released: rows that a pending read returns are for the next owner. */
  close(): void {
    this.#closed = true;
    this.#takeBack?.();
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

export interface Taking {
  readonly as: InputAs;
  /** The message starts this attempt of the turn. */
  readonly attempt?: number;
}

export interface TakenMessage {
  /** The entry that took the message. */
  readonly seq: number;
  readonly request: TurnRequest;
  /** The interrupted status that the message ended. */
  readonly resumedFrom: TaskStatus | undefined;
}

/**
 * Moves a message from the inbox to the log. After that it belongs to the task permanently. Writes the input and, if the task was waiting,
 * WORKING in one commit, so that no reader sees the old question again (D2).
 */
export async function takeMessage(writer: TaskWriter, row: InboxRow, { as, attempt }: Taking): Promise<TakenMessage> {
  const posted: TurnRequest = JSON.parse(row.json);
  // A large message is parsed and serialized in two event-loop iterations. If the task ends in between, `accept` refuses the message.
  if (isLarge(row.json)) await nextIteration();
  const request = withTaskIds(posted, writer.ref.id, writer.contextId);
  const { state, status } = writer;
  const isResumed = state !== undefined && isInterrupted(state);
  const taken = writer.accept({ kind: 'input', request, as, row: row.n });
  const { seq } = writer;
  if (attempt !== undefined) void writer.accept({ kind: 'note', note: { kind: 'attempt', attempt, after: 'answer' } });
  if (isResumed) void writer.accept({ kind: 'status', state: 'TASK_STATE_WORKING' });
  await taken; // rejects when the task has just ended: then the message is refused as well
  await writer.flush();
  return { seq, request, resumedFrom: isResumed ? status : undefined };
}
