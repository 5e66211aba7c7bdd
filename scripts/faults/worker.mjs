// A share of the processor-bound cases: every worker iterates over all cases and takes every n-th run.
import { parentPort, workerData } from 'node:worker_threads';
import { inProcessCases, isWanted } from './cases.mjs';
import { runAll } from './pool.mjs';

/** @typedef {{ recorded: import('./sdk-recording.mjs').Recorded, options: import('./options.mjs').Options, index: number, of: number }} Share */

/** @type {Share} */
const { recorded, options, index, of } = workerData;

for await (const one of inProcessCases(recorded, options)) {
  if (!isWanted(one, options)) continue;
  const start = performance.now();
  const tally = await runAll(
    one.runs.filter((_, place) => place % of === index),
    one.atOnce,
  );
  const { name, peer, binding } = one;
  parentPort?.postMessage({ name, peer, binding, tally, seconds: (performance.now() - start) / 1_000 });
}
process.exit();
