// Runs all cases, prints the report, and fails on any fault. Uses the existing build; `npm run faults` builds first.
import { stop } from '../setup.mjs';
import { isWanted, socketCases } from './cases.mjs';
import { readOptions } from './options.mjs';
import { createTruths, startPeers } from './peers.mjs';
import { runAll } from './pool.mjs';
import { printHead, printRow, printSum } from './report.mjs';
import { recordSdk } from './sdk-recording.mjs';
import { selfCheck } from './self-check.mjs';
import { shareOut } from './share-out.mjs';

// Exiting stops the servers and removes their files.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(1));

const options = parseOptions();
const start = performance.now();
const isRight = await (options.selfCheck ? selfCheck() : runCases());
console.log(`${((performance.now() - start) / 1_000).toFixed(0)} s`);
process.exit(isRight ? 0 : 1);

async function runCases() {
  /** @type {import('./report.mjs').Row[]} */
  const rows = [];
  const note = (/** @type {import('./report.mjs').Row} */ row) => {
    rows.push(row);
    printRow(row);
  };
  const peers = await startPeers();
  try {
    const recorded = await recordSdk(peers);
    printHead();
    await shareOut(recorded, options, note);
    const groups = socketCases({ peers, truthOf: createTruths(), options });
    await Promise.all(groups.map((cases) => runInSequence(cases, note)));
  } finally {
    await peers.close();
  }
  return printSum(rows);
}

/**
 * @param {readonly import('./cases.mjs').Case[]} cases
 * @param {(row: import('./report.mjs').Row) => void} onRow
 */
async function runInSequence(cases, onRow) {
  for (const one of cases) {
    if (!isWanted(one, options)) continue;
    const began = performance.now();
    const { name, peer, binding } = one;
    onRow({ name, peer, binding, tally: await runAll(one.runs, one.atOnce), seconds: (performance.now() - began) / 1_000 });
  }
}

function parseOptions() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}
