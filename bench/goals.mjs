// What Parley promises: its cost divided by that of the floor, at most. Where the floor is about nothing, what it may cost more;
// for growth, the growth itself.
// A workload without a goal is measured all the same.

/** @typedef {{ memory?: number, sqlite?: number }} Goal */

/** By the id of the workload. @type {Readonly<Record<string, Goal>>} */
export const GOALS = {
  1: { memory: 1.2, sqlite: 1.2 },
  2: { memory: 1.2, sqlite: 1.5 },
  3: { memory: 1.2, sqlite: 1.5 },
  '5 × 1': { memory: 1.2, sqlite: 1.2 },
  '5 × 16': { memory: 1.2, sqlite: 1.2 },
  '5 × 64': { memory: 1.2, sqlite: 1.2 },
  '5s': { memory: 1.2, sqlite: 1.5 },
  '5b': { memory: 0.8, sqlite: 1.2 },
  6: { memory: 0.7, sqlite: 1 },
  '6b': { memory: 1, sqlite: 1.6 },
  '7 × 10k': { memory: 1.3, sqlite: 1.3 },
  '7 × 100k': { memory: 1.3, sqlite: 1.3 },
  '7 shuffled': { memory: 1.3, sqlite: 1.3 },
  8: { memory: 1.5, sqlite: 2 },
  9: { memory: 1.2, sqlite: 1.2 },
  '11 growth': { memory: 1.1, sqlite: 1.1 },
  12: { memory: 0.8 },
  idle: { memory: 1.1, sqlite: 1.1 },
  'burst first': { memory: 1, sqlite: 1 },
  'burst other': { memory: 1, sqlite: 1 },
  // As the floor, within what the measurement swings: a leak of one small object per subscriber, or a pass over a thousand, is more.
  'gone heap': { memory: 1_000, sqlite: 1_000 },
  'gone event': { memory: 500, sqlite: 500 },
};

/** Workload 10, by client: its CPU time divided by that of a bare fetch. @type {Readonly<Partial<Record<import('./client-process.mjs').ClientName, number>>>} */
export const CLIENT_GOALS = { 'ours-fetch': 1.1, 'ours-pooled': 0.3 };

/** A page costs the same however many tasks there are: its ratio to the floor with many, divided by that with few. */
export const FLATNESS = { of: '7 × 100k', to: '7 × 10k', goal: 1.3 };
