// The whole run: every workload, the table, the document, and whether the goals hold.
import { readArguments, USAGE } from './arguments.mjs';
import { compare } from './compare.mjs';
import { writeDocument } from './document.mjs';
import { report } from './report.mjs';
import { select } from './workloads/index.mjs';

/** @typedef {import('./server.mjs').Contestant} Contestant */

const options = readArguments(process.argv.slice(2));
if (options.help) console.log(USAGE);
else process.exitCode = await run();

/** @returns {Promise<number>} the exit code */
async function run() {
  const contestants = /** @type {Contestant[]} */ (['floor', ...(options.peer ? ['peer', 'peer-sql'] : []), 'memory', 'sqlite']);
  const outcomes = [];
  for (const workload of select(options.only)) {
    const start = performance.now();
    outcomes.push(await compare(workload, contestants, options.mode));
    console.error(`${workload.id}: ${workload.title} (${((performance.now() - start) / 1_000).toFixed(0)} s)`);
  }
  const { table, missed } = report(outcomes);
  console.log(`\n${table}\n\n${missed === 0 ? 'All goals are met.' : `Goals missed: ${missed}`}`);
  if (options.write) writeDocument(table, options);
  return missed === 0 ? 0 : 1;
}
