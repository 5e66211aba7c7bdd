import type { InboxRow } from '../store.js';

/** The inbox of one task. Row n has index n - 1. Rows are replaced and never mutated, so they can be returned to callers. */
export class InboxRows {
  readonly #rows: InboxRow[] = [];
  #pending = 0;
  #chars = 0;

  /** The number of rows, which is also the number of the newest row. */
  get size(): number {
    return this.#rows.length;
  }

  /** The total length of all texts. */
  get chars(): number {
    return this.#chars;
  }

  /** The number of pending rows. */
  get pending(): number {
    return this.#pending;
  }

  post(kind: InboxRow['kind'], json: string): number {
    const n = this.#rows.length + 1;
    this.#rows.push({ n, kind, json, state: 'pending' });
    this.#pending += 1;
    this.#chars += json.length;
    return n;
  }

  after(n: number): readonly InboxRow[] {
    return this.#rows.slice(Math.max(0, n));
  }

  waiting(): readonly InboxRow[] {
    return this.#pending === 0 ? [] : this.#rows.filter(({ state }) => state === 'pending');
  }

  isPending(n: number): boolean {
    return this.#rows[n - 1]?.state === 'pending';
  }

  take(n: number, seq: number): void {
    this.#settle(n, { state: 'taken', seq });
  }

  /** Returns the numbers of the refused rows. */
  refuseWaiting(): readonly number[] {
    const numbers = this.waiting().map(({ n }) => n);
    for (const n of numbers) this.#settle(n, { state: 'refused' });
    return numbers;
  }

  /** Keeps the state of each row for readers that still ask for it. */
  dropTexts(): void {
    for (const [index, row] of this.#rows.entries()) this.#rows[index] = { ...row, json: '' };
    this.#chars = 0;
  }

  #settle(n: number, change: Pick<InboxRow, 'state' | 'seq'>): void {
    const row = this.#rows[n - 1];
    if (row?.state !== 'pending') return;
    this.#rows[n - 1] = { ...row, ...change };
    this.#pending -= 1;
  }
}
