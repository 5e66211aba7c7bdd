// `npm run bench -- --against <commit>`: the cost of this checkout next to the build of another commit, in one interleaved run.
import { fileURLToPath } from 'node:url';
import { stop } from '../../scripts/setup.mjs';
import { repeatOn } from '../measure.mjs';
import { startServer } from '../server.mjs';
import { sizeOf } from '../sizes.mjs';
import { select } from '../workloads/index.mjs';
import { compareBuilds } from './compare-builds.mjs';
import { buildOther, resolveCommit } from './other-build.mjs';
import { reportBuilds } from './report-builds.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('./compare-builds.mjs').Store} Store */
/** @typedef {import('./compare-builds.mjs').Comparison} Comparison */

/** The hot path: unary calls, also without the gain of many connections, streams, GetTask. */
const DEFAULT_WORKLOADS = ['1 × 16', '2 × 16', '2 × 1', '3 × 16', '5', '6'];
/** @type {readonly Store[]} */
const STORES = ['memory', 'sqlite'];
const OWN_SCRIPT = fileURLToPath(new URL('../server-process.mjs', import.meta.url));

/**
 * @param {{ against: string, bound: number, only: readonly string[], mode: 'full' | 'quick' }} options
 * @returns {Promise<number>} the exit code
 */
export async function runAgainst({ against, bound, only, mode }) {
  const begin = performance.now();
  // Also before the build: without a listener, Ctrl-C would end this process at once and leave the folder.
  const interrupt = () => process.exit(130);
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const other = prepare(against);
  process.on('exit', other.remove);
  try {
    const workloads = selectComparable(only);
    /** @type {Comparison[]} */
    const comparisons = [];
    for (const workload of workloads) comparisons.push(...(await compareStores(workload, other, mode)));
    const { table, slower } = reportBuilds(comparisons, { name: other.name, bound });
    console.log(`\n${table}\n`);
    console.log(slower === 0 ? `No ratio is above ${bound}.` : `Ratios above ${bound}: ${slower}`);
    console.log(`${((performance.now() - begin) / 1_000).toFixed(0)} s`);
    return slower === 0 ? 0 : 1;
  } finally {
    other.remove();
    process.off('exit', other.remove).off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** @param {string} against */
function prepare(against) {
  try {
    const hash = resolveCommit(against);
    console.error(`Building commit ${hash.slice(0, 9)} …`);
    return buildOther(hash);
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Only costs are comparable as ratios; a workload whose value is a difference or a ratio itself is not.
 * @param {readonly string[]} only
 */
function selectComparable(only) {
  return select(only.length === 0 ? DEFAULT_WORKLOADS : only).filter(({ by = 'ratio' }) => by === 'ratio');
}

/**
 * @param {Workload} workload
 * @param {import('./other-build.mjs').OtherBuild} other
 * @param {'full' | 'quick'} mode
 */
async function compareStores(workload, other, mode) {
  const scripts = { ours: OWN_SCRIPT, other: other.script };
  const comparisons = [];
  for (const store of STORES.filter((name) => workload.contestants.includes(name))) {
    const size = sizeOf(workload, store, mode === 'quick' ? 'against-quick' : 'against');
    const start = performance.now();
    const comparison = await compareBuilds({ workload, store, repetitions: size.repetitions }, (build, turn) =>
      repeatOn({ name: `${store} of ${build}`, start: () => startServer(store, { script: scripts[build] }), turn }, workload, size),
    );
    comparisons.push(comparison);
    const seconds = ((performance.now() - start) / 1_000).toFixed(0);
    console.error(`${workload.id} with ${store}: ${comparison.ratio.toFixed(3)} (${seconds} s)`);
  }
  return comparisons;
}
