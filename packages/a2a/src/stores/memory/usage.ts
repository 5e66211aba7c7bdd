/** Counts the memory of the store, so that its bound needs no scan. */
import type { Scope } from '../store.js';
import { isFinal, type TaskRow } from './task-row.js';

/** The most that a character takes. Its real width cannot be read from a string without a scan. */
export const BYTES_PER_CHAR = 2;
/** Objects and index places beside the texts, measured roughly. */
const TASK_BYTES = 1_000;
const ENTRY_BYTES = 150;

export interface UsageBounds {
  readonly maxBytes: number;
  /** For the unfinished tasks of one owner. Ended tasks need no share: they are dropped when the store is full. */
  readonly maxBytesPerOwner: number;
}

export class Usage implements UsageBounds {
  readonly maxBytes: number;
  readonly maxBytesPerOwner: number;
  #used = 0;
  /** The unfinished tasks of each owner. All rows of an owner have the same scope object. */
  readonly #unfinished = new Map<Scope, number>();

  constructor({ maxBytes, maxBytesPerOwner }: UsageBounds) {
    this.maxBytes = maxBytes;
    this.maxBytesPerOwner = maxBytesPerOwner;
  }

  /** Whether this owner has no room for one more task or message. */
  isFullFor(scope: Scope | undefined): boolean {
    return scope !== undefined && (this.#unfinished.get(scope) ?? 0) >= this.maxBytesPerOwner;
  }

  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used >= this.maxBytes;
  }

  /** `bytes` is negative when memory is freed. */
  add(bytes: number): void {
    this.#used += bytes;
  }

  /** Call it after the texts, the log or the inbox of the row have changed. */
  recount(row: TaskRow): void {
    const bytes = bytesOf(row);
    this.#used += bytes - row.bytes;
    row.bytes = bytes;
    this.#countFor(row, isFinal(row) ? 0 : bytes);
  }

  forget(row: TaskRow): void {
    this.#used -= row.bytes;
    row.bytes = 0;
    this.#countFor(row, 0);
  }

  #countFor(row: TaskRow, bytes: number): void {
    if (bytes === row.unfinishedBytes) return;
    const left = (this.#unfinished.get(row.scope) ?? 0) + bytes - row.unfinishedBytes;
    row.unfinishedBytes = bytes;
    if (left > 0) this.#unfinished.set(row.scope, left);
    else this.#unfinished.delete(row.scope);
  }
}

/** Takes the same time for every row: the log and the inbox know their length. */
export function bytesOf({ id, contextId, headText, historyBytes, artifactsLength, log, inbox }: TaskRow): number {
  let chars = id.length + contextId.length + headText.length + historyBytes + artifactsLength;
  let rows = 0;
  if (log !== undefined) {
    chars += log.chars;
    rows += log.size;
  }
  if (inbox !== undefined) {
    chars += inbox.chars;
    rows += inbox.size;
  }
  return TASK_BYTES + rows * ENTRY_BYTES + chars * BYTES_PER_CHAR;
}
