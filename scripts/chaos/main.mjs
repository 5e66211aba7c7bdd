// Runs the chaos test, prints the report, and fails on any violation. Uses the existing build; `npm run chaos` builds first.
import { rmSync } from 'node:fs';
import { installPostgres, startPostgres } from '../databases/postgres.mjs';
import { installRedis, startRedis } from '../databases/redis.mjs';
import { stop } from '../setup.mjs';
import { readOptions } from './options.mjs';
import { runPhase } from './phase.mjs';
import { report } from './report.mjs';
import { writeReport } from './write-report.mjs';

const interrupted = new AbortController();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => interrupted.abort(signal));

const options = parseOptions();
const begin = performance.now();
const say = (/** @type {string} */ text) => console.log(`${((performance.now() - begin) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
console.log(`${options.rolling ? 'Rolling restarts' : 'Chaos'}: three nodes, ${options.clients} clients; --seed ${options.seed}\n`);
installPostgres();
installRedis();
const phases = await runAll().catch((error) => stop(`The run was aborted: ${error.stack ?? error}`));
const isClean = report(phases);
for (const phase of phases) {
  if (phase.findings.isClean && phase.isFast && !options.keep) rmSync(phase.folder, { recursive: true, force: true });
  else console.error(`\nDetails of the run: ${writeReport(phase, options)}`);
}
console.log(`\n${isClean ? 'No violations' : 'FAILED'}; --seed ${options.seed}`);
process.exitCode = isClean ? 0 : 1;

async function runAll() {
  if (options.atOnce) return Promise.all(options.buses.map(runBus));
  const outcomes = [];
  for (const bus of options.buses) outcomes.push(await runBus(bus));
  return outcomes;
}

/** Runs with one bus, on its own databases. @param {import('./options.mjs').Bus} bus */
async function runBus(bus) {
  const [postgres, redis] = await Promise.all([startPostgres(), bus === 'redis' ? startRedis() : undefined]);
  try {
    const sayOfBus = (/** @type {string} */ text) => say(`${bus.padEnd(8)}  ${text}`);
    return await runPhase({ bus, options, postgres, redis, say: sayOfBus, signal: interrupted.signal });
  } finally {
    await Promise.all([postgres.remove(), redis?.remove()]);
  }
}

function parseOptions() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}
