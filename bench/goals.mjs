// The goals of Parley: the maximum of its cost divided by that of the floor. If the floor is about zero, the maximum of the extra cost. For
// growth and for counts, the value itself.
// A workload without a goal is still measured.

/** @typedef {{ memory?: number, sqlite?: number }} Goal */

/** By workload id. @type {Readonly<Record<string, Goal>>} */
export const GOALS = {
  '1 × 16': { memory: 1, sqlite: 1.1 },
  '2 × 1': { memory: 1.35, sqlite: 1.9 },
  '2 promises': { memory: 40, sqlite: 40 },
  '2 bytes': { memory: 30_000, sqlite: 30_000 },
  '5 × 1': { memory: 1.2, sqlite: 1.2 },
  '5 × 16': { memory: 1.2, sqlite: 1.2 },
  '5 × 64': { memory: 1.2, sqlite: 1.2 },
  '5s': { memory: 1.2, sqlite: 1.4 },
  '5b': { memory: 0.8, sqlite: 1.2 },
  // Of the same work by the helpers.
  '2r': { memory: 1.1, sqlite: 1.1 },
  '5r': { memory: 1.1, sqlite: 1.1 },
  6: { memory: 0.6, sqlite: 1 },
  '6b': { memory: 1, sqlite: 1.6 },
  '7 × 10k': { memory: 1.2, sqlite: 1.8 },
  '7 × 100k': { memory: 1.2, sqlite: 1.8 },
  '7 shuffled': { memory: 1.2, sqlite: 1.8 },
  8: { memory: 1.3, sqlite: 1.9 },
  9: { memory: 1.2, sqlite: 1.2 },
  '11 growth': { memory: 1.1, sqlite: 1.1 },
  12: { memory: 0.8 },
  idle: { memory: 1.1, sqlite: 1.1 },
  'burst first': { memory: 1, sqlite: 1 },
  'burst other': { memory: 1, sqlite: 1 },
  // Equal to the floor within the noise: a leak of one small object per subscriber, or a loop over a thousand of them, exceeds this.
  'gone heap': { memory: 1_000, sqlite: 1_000 },
  'gone event': { memory: 500, sqlite: 500 },
};

/**
 * The maximum of its cost divided by that of the gathered floor. Parley gathers the replies of concurrent requests too, so the other floor
 * would hide the cost of the rest.
 * @type {Readonly<Record<string, Goal>>}
 */
export const GATHERED_GOALS = {
  '2 × 16': { memory: 1.35, sqlite: 2.2 },
  '3 × 16': { memory: 1.35, sqlite: 2.2 },
};

/** The maximum of (ours − floor) ÷ (official SDK in memory − floor). @type {Readonly<Record<string, Goal>>} */
export const SHARE_GOALS = {
  '2 × 16': { memory: 0.05, sqlite: 0.15 },
  '3 × 16': { memory: 0.05, sqlite: 0.15 },
};

/** Workload 10, by client: its CPU time divided by that of a bare fetch. @type {Readonly<Partial<Record<import('./client-process.mjs').ClientName, number>>>} */
export const CLIENT_GOALS = { 'ours-fetch': 1.1, 'ours-pooled': 0.3 };

/** The cost of a page must not depend on the number of tasks: the ratio to the floor with many tasks, divided by the ratio with few. */
export const FLATNESS = { of: '7 × 100k', to: '7 × 10k', goal: 1.3 };
