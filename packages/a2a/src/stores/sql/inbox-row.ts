import type { InboxRow } from '../store.js';

const STATES = ['pending', 'taken', 'refused'] as const;

/** The states of a row, as stored in its column. */
export const [PENDING, TAKEN, REFUSED] = [0, 1, 2] as const;

export type InboxColumns = readonly [n: number, kind: InboxRow['kind'], json: string, state: number, seq: number | null];

export function toInboxRow([n, kind, json, state, seq]: InboxColumns): InboxRow {
  return { n, kind, json, state: STATES[state] ?? 'refused', ...(seq === null ? {} : { seq }) };
}
