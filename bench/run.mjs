// The complete run: every workload, the table, the document, and whether the goals are met.

import { stop } from '../scripts/setup.mjs';
import { runAgainst } from './against/run.mjs';
import { readArguments, USAGE } from './arguments.mjs';
import { CLIENTS, compareClients, reportClients } from './clients.mjs';
import { compare } from './compare.mjs';
import { writeDocument } from './document.mjs';
import { report, reportUnary } from './report.mjs';
import { select } from './workloads/index.mjs';

/** @typedef {import('./server.mjs').Contestant} Contestant */

const options = parseOptions();
if (options.help) console.log(USAGE);
else process.exitCode = options.against === undefined ? await run() : await runAgainst({ ...options, against: options.against });

function parseOptions() {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

/** @returns {Promise<number>} the exit code */
async function run() {
  const servers = await runServers();
  const clients = await runClients();
  const unary = servers?.unary;
  const missed = [servers, unary, clients].reduce((sum, measured) => sum + (measured?.missed ?? 0), 0);
  for (const measured of [servers, unary, clients]) if (measured !== undefined) console.log(`\n${measured.table}`);
  console.log(`\n${missed === 0 ? 'All goals are met.' : `Goals missed: ${missed}`}`);
  if (options.write) writeDocument({ servers: servers?.table, unary: unary?.table, clients: clients?.table }, options);
  return missed === 0 ? 0 : 1;
}

async function runServers() {
  const only = options.only.filter((id) => id !== CLIENTS.id);
  if (options.only.length > 0 && only.length === 0) return undefined;
  const contestants = /** @type {Contestant[]} */ ([
    'floor',
    'gathered',
    ...(options.peer ? ['peer', 'peer-sql'] : []),
    'memory',
    'sqlite',
  ]);
  const outcomes = [];
  for (const workload of select(only, options.mode))
    outcomes.push(await timed(workload, () => compare(workload, contestants, options.mode)));
  return { ...report(outcomes), unary: reportUnary(outcomes) };
}

async function runClients() {
  if (options.only.length > 0 && !options.only.includes(CLIENTS.id)) return undefined;
  return reportClients(await timed(CLIENTS, () => compareClients(options.mode, options)));
}

/**
 * Prints progress and duration.
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
