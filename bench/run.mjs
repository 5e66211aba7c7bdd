// The whole run: every workload, the table, the document, and whether the goals hold.
import { readArguments, USAGE } from './arguments.mjs';
import { CLIENTS, compareClients, reportClients } from './clients.mjs';
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
  const reports = [await runServers(), await runClients()].filter((one) => one !== undefined);
  const table = reports.map((one) => one.table).join('\n\n');
  const missed = reports.reduce((sum, one) => sum + one.missed, 0);
  console.log(`\n${table}\n\n${missed === 0 ? 'All goals are met.' : `Goals missed: ${missed}`}`);
  if (options.write) writeDocument(table, options);
  return missed === 0 ? 0 : 1;
}

async function runServers() {
  const only = options.only.filter((id) => id !== CLIENTS.id);
  if (options.only.length > 0 && only.length === 0) return undefined;
  const contestants = /** @type {Contestant[]} */ (['floor', ...(options.peer ? ['peer', 'peer-sql'] : []), 'memory', 'sqlite']);
  const outcomes = [];
  for (const workload of select(only)) outcomes.push(await timed(workload, () => compare(workload, contestants, options.mode)));
  return report(outcomes);
}

async function runClients() {
  if (options.only.length > 0 && !options.only.includes(CLIENTS.id)) return undefined;
  return reportClients(await timed(CLIENTS, () => compareClients(options.mode, options)));
}

/**
 * Says how long it took, for those who wait.
 * @template T
 * @param {{ id: string, title: string }} workload
 * @param {() => Promise<T>} measure
 */
async function timed({ id, title }, measure) {
  const start = performance.now();
  const outcome = await measure();
  console.error(`${id}: ${title} (${((performance.now() - start) / 1_000).toFixed(0)} s)`);
  return outcome;
}
