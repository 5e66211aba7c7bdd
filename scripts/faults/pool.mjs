import { count, emptyTally } from './tally.mjs';

/**
 * Runs them all, so many at once, in their order.
 * @param {readonly (() => Promise<import('./tally.mjs').Outcome>)[]} runs
 * @param {number} atOnce
 */
export async function runAll(runs, atOnce) {
  const tally = emptyTally();
  const queue = runs.values();
  const work = async () => {
    for (const run of queue) count(tally, await run());
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, runs.length) }, work));
  return tally;
}
