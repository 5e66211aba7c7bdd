// Runs the attacks one after another, prints the report, and fails on any violation. Uses the existing build; `npm run siege` builds first.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPostgres, startPostgres } from '../databases/postgres.mjs';
import { stop } from '../setup.mjs';
import { ATTACKS } from './attacks.mjs';
import { runHostileCards } from './hostile-cards.mjs';
import { judge, judgeCard, judgeTakeOver } from './judge.mjs';
import { isSelected, readOptions, USAGE } from './options.mjs';
import { HEADINGS, toDetails, toRow, toShortRow } from './report.mjs';
import { runAttack } from './run-attack.mjs';
import { runTakeOver, TAKE_OVERS } from './take-over.mjs';

/** @typedef {import('./run-attack.mjs').Place} Place */

const interrupted = new AbortController();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => interrupted.abort(signal));

const options = parseOptions();
let violations = 0;
if (options.help) console.log(USAGE);
else await runAll().catch((error) => stop(`The run was aborted: ${error.stack ?? error}`));

async function runAll() {
  const begin = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'parley-siege-'));
  console.log(
    `A well-behaved caller beside two attackers; p99 below ${options.bounds.p99Ms} ms, memory below ${options.bounds.maxRssMiB} MiB\n`,
  );
  const [load = 0] = loadavg();
  if (load > availableParallelism()) console.log(`This machine is busy (load ${load.toFixed(0)}): expect high latencies.\n`);
  console.log(HEADINGS);
  try {
    for (const store of options.stores.filter((one) => one !== 'postgres'))
      await runStore({ store, folder, url: '', signal: interrupted.signal });
    if (options.stores.includes('postgres') && casesOf('postgres').length > 0) await runPostgres(folder);
    if (isSelected(options, 'F64')) await runCards();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `\n${violations === 0 ? 'No violations' : `VIOLATIONS: ${violations}`}, in ${((performance.now() - begin) / 1_000).toFixed(0)} s`,
  );
  process.exitCode = violations === 0 ? 0 : 1;
}

/** The names of the cases that run with a store. @param {import('./options.mjs').Store} store */
function casesOf(store) {
  const attacks = Object.entries(ATTACKS).filter(([, { stores }]) => stores === undefined || stores.includes(store));
  const names = [...attacks.map(([name]) => name), ...(store === 'postgres' ? Object.keys(TAKE_OVERS) : [])];
  return names.filter((name) => isSelected(options, name, store));
}

/** @param {string} folder */
async function runPostgres(folder) {
  installPostgres();
  const postgres = await startPostgres();
  try {
    await runStore({ store: 'postgres', folder, url: postgres.url, signal: interrupted.signal });
  } finally {
    await postgres.remove();
  }
}

/** @param {Place} place */
async function runStore(place) {
  for (const name of casesOf(place.store)) {
    await runCase(name, place).catch((error) => {
      place.signal.throwIfAborted();
      print(`${name} with ${place.store}: FAILED`, [`the case could not run: ${error instanceof Error ? error.message : error}`]);
    });
  }
}

/**
 * @param {string} name
 * @param {Place} place
 */
async function runCase(name, place) {
  const attack = ATTACKS[name];
  if (attack === undefined) return takeOver(name, place);
  const outcome = await runAttack({ name, attack }, place, options);
  const found = judge(outcome, options.bounds);
  print(toRow(outcome, found), found, outcome);
}

/**
 * @param {string} name
 * @param {Place} place
 */
async function takeOver(name, place) {
  const outcome = await runTakeOver(name, place);
  const found = judgeTakeOver(outcome);
  const seconds = outcome.takeOverMs === undefined ? '–' : (outcome.takeOverMs / 1_000).toFixed(1);
  print(toShortRow(outcome, `new owner after ${seconds} s of at most ${outcome.limitMs / 1_000}`, found), found);
}

async function runCards() {
  for (const outcome of await runHostileCards()) {
    const found = judgeCard(outcome);
    print(toShortRow(outcome, `held the client for ${outcome.stallMs.toFixed(0)} ms`, found), found);
  }
}

/**
 * @param {string} row
 * @param {readonly string[]} found
 * @param {import('./judge.mjs').Outcome} [outcome]
 */
function print(row, found, outcome) {
  violations += found.length;
  for (const line of [row, ...toDetails(found, outcome)]) console.log(line);
}

function parseOptions() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}
