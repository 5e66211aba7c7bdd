import { describe, test } from 'vitest';
import { storeContract } from '../testing/index.js';
import { memoryStore } from './memory.js';

/** What each row means for a store. Every check of the contract belongs to one row. */
const ROWS = {
  P47: 'P47: lists are per owner, filtered, in one order, and paged by keyset',
  P53: 'P53: the store exchanges texts, so callers cannot change its data through shared objects',
  D1: 'D1: the log consists of numbered entries',
  D2: 'D2: inbox rows are taken or refused in the commit that handles them',
  D4: 'D4: the log can be read after any seq',
  D6: 'D6: commits may be gathered',
  D9: 'D9: a task is its last snapshot and the entries after it',
  D10: 'D10: only ended tasks are compacted or deleted',
  D11: 'D10: only ended tasks are compacted or deleted',
  D12: 'D12: an epoch determines the owner, and commits return one answer per task',
  D16: 'D16: only a Task event creates a row',
  D17: 'D17: idempotent requests run once',
  D22: 'D22: a conversation spans the tasks of a context',
  D27: 'D27: a closed store is unavailable',
  D29: 'D29: totals are exact',
  D46: 'D46: entries have a generation and a commit time',
  D60: 'D60: tasks can be erased',
  D56: 'D56: agents that share a store are isolated',
  D58: 'D58: pages of lists are bounded by bytes',
  D59: 'D59: a lease is renewed from another thread, if the store has one',
  F72: 'F72: a snapshot adds to the one before it',
} as const;

for (const [row, title] of Object.entries(ROWS)) {
  describe(title, () => {
    for (const [name, run] of storeContract) {
      if (name.startsWith(`${row}:`)) test(name, () => run(() => memoryStore()));
    }
  });
}

test('D12: every check of the store contract is run', ({ expect }) => {
  const rows = Object.keys(ROWS);
  expect(storeContract.filter(([name]) => !rows.includes(name.slice(0, name.indexOf(':'))))).toEqual([]);
});
