// What Parley promises: its cost divided by that of the floor, at most. A workload without a goal is measured all the same.

/** @typedef {{ memory?: number, sqlite?: number }} Goal */

/** By the id of the workload. @type {Readonly<Record<string, Goal>>} */
export const GOALS = {
  1: { memory: 1.2 },
  2: { memory: 1.2, sqlite: 1.5 },
  3: { memory: 1.2, sqlite: 1.5 },
  '5 × 1': { memory: 1.2, sqlite: 1.2 },
  '5 × 16': { memory: 1.2, sqlite: 1.2 },
  '5 × 64': { memory: 1.2, sqlite: 1.2 },
  '5s': { memory: 1.2, sqlite: 1.5 },
  '5b': { memory: 0.8, sqlite: 1.2 },
};

/**
 * Promises about two workloads: the cost in one divided by the cost in the other, of the same contestant.
 * @type {readonly { title: string, of: string, to: string, goal: number }[]}
 */
export const GROWTH_GOALS = [];
