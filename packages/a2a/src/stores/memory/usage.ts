/** Counts the memory of the store, so that its bound needs no scan. */
import type { TaskRow } from './task-row.js';

/** The most that a character takes. Its real width cannot be read from a string without a scan. */
export const BYTES_PER_CHAR = 2;
/** Objects and index places beside the texts, measured roughly. */
const TASK_BYTES = 1_000;
const ENTRY_BYTES = 150;

export class Usage {
  readonly maxBytes: number;
  #used = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
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
  }

  forget(row: TaskRow): void {
    this.#used -= row.bytes;
    row.bytes = 0;
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
