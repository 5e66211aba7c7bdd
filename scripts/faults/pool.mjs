import { count, emptyTally } from './tally.mjs';

/**
 * Runs all in order, with at most `atOnce` at a time.
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
