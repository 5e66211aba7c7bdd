import { describe, test } from 'vitest';
import { storeContract } from '../testing/index.js';
import { memoryStore } from './memory.js';

/** What the rows mean for a store; every check of the contract belongs to one of them. */
const ROWS = {
  P47: 'P47: lists are per owner, filtered, in one order, and paged by keyset',
  P53: 'P53: isolation is by text: nobody changes the store through what it was given or gave',
  D1: 'D1: the log is numbered entries',
  D2: 'D2: the inbox is taken and refused in the commit that does so',
  D4: 'D4: the log is read after any seq',
  D6: 'D6: commits may be gathered',
  D9: 'D9: a task is its last snapshot and the entries since',
  D10: 'D10: only ended tasks are compacted or deleted',
  D11: 'D11: the store has a clock',
  D12: 'D12: ownership is by epoch, commits answer per task',
  D16: 'D16: only a Task event makes a row',
  D17: 'D17: idempotent requests run once',
  D22: 'D22: conversations reach across the tasks of a context',
  D27: 'D27: a closed store is unavailable',
  D29: 'D29: totals are exact',
  D46: 'D46: entries have generations and times of commit',
  D56: 'D56: agents that share a store are apart',
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
