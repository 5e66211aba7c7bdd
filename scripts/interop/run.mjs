// Starts the built agents and runs every case over every binding, in both directions. Prints the results and fails if a case failed.
import * as theirs from '@assistant-ui/react-a2a';
import * as ours from '@parley/a2a/assistant-ui';
import { listen } from '@parley/a2a/node';
import { startDemo } from '../../packages/demo/dist/start-demo.js';
import { setOut, TOUR } from './a2a-client-tour.mjs';
import { CASES } from './cases.mjs';
import { OUR_CASES, reach } from './our-client-cases.mjs';
import { startSdkAgent } from './sdk-agent.mjs';
import { createSecondAgent, quickClock } from './second-agent.mjs';
import { BINDINGS, connect } from './target.mjs';

/** @typedef {{ name: string, outcomes: (Error | undefined)[] }} Row */

const failures = (await officialClient()) + (await ourClient()) + (await tour());
process.exitCode = failures > 0 ? 1 : 0;

/** @returns {Promise<number>} number of failed cases */
async function officialClient() {
  const demo = await startDemo({ port: 0, clock: quickClock, taskAfterMs: Number.POSITIVE_INFINITY });
  const second = await listen(createSecondAgent(), { port: 0 });
  try {
    const targets = await Promise.all(BINDINGS.map((binding) => connect(binding, { demo: demo.url, second: second.url })));
    return report('the client of @a2a-js/sdk against Parley', await runCases(CASES, targets));
  } finally {
    await Promise.all([demo.close({ drainMs: 0 }), second.close({ drainMs: 0 })]);
  }
}

/** @returns {Promise<number>} number of failed cases */
async function ourClient() {
  const agents = await Promise.all([startSdkAgent(), startSdkAgent({ streaming: false })]);
  const [{ url: streaming }, { url: calm }] = agents;
  try {
    const cases = OUR_CASES.map(({ name, run }) => ({
      name,
      run: (/** @type {import('./target.mjs').BindingName} */ binding) => run(reach(binding, { streaming, calm })),
    }));
    return report('the client of Parley against @a2a-js/sdk', await runCases(cases, BINDINGS));
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
  }
}

/** @returns {Promise<number>} number of failed steps */
async function tour() {
  const demo = await startDemo({ port: 0, clock: quickClock, taskAfterMs: Number.POSITIVE_INFINITY });
  const sdk = await startSdkAgent();
  try {
    const travellers = [
      { name: 'react-a2a', A2AClient: theirs.A2AClient, A2AError: theirs.A2AError },
      { name: 'Parley', A2AClient: ours.A2AClient, A2AError: ours.A2AError },
    ];
    const stops = travellers.map((traveller) => setOut(traveller, { demo: demo.url, sdk: sdk.url }));
    const names = travellers.map(({ name }) => name);
    return report('the A2AClient of @assistant-ui/react-a2a 0.2.32 and of Parley', await runCases(TOUR, stops), names);
  } finally {
    await Promise.all([demo.close({ drainMs: 0 }), sdk.close()]);
  }
}

/**
 * @template T
 * @param {readonly { name: string, run: (target: T) => Promise<unknown> }[]} cases
 * @param {readonly T[]} targets one per column
 */
async function runCases(cases, targets) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, run } of cases) rows.push({ name, outcomes: await Promise.all(targets.map((target) => attempt(run(target)))) });
  return rows;
}

/**
 * @param {Promise<unknown>} running
 * @returns {Promise<Error | undefined>} the failure
 */
async function attempt(running) {
  try {
    await running;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * @param {string} title
 * @param {readonly Row[]} rows
 * @param {readonly string[]} [columns]
 */
function report(title, rows, columns = BINDINGS) {
  const width = Math.max(...rows.map(({ name }) => toTitle(name).length));
  const line = (/** @type {string} */ name, /** @type {readonly string[]} */ cells) =>
    console.log([name.padEnd(width), ...cells.map((cell) => cell.padEnd(9))].join('  ').trimEnd());
  line('', columns);
  for (const { name, outcomes } of rows) {
    const cells = outcomes.map((error) => (error ? 'FAILED' : 'ok'));
    line(toTitle(name), cells);
  }
  const outcomes = rows.flatMap((row) => row.outcomes);
  const failed = outcomes.filter((error) => error !== undefined).length;
  console.log(`\n${outcomes.length - failed} of ${outcomes.length} ok: ${title}\n`);
  for (const row of rows) {
    for (const [index, error] of row.outcomes.entries()) if (error) console.error(`\n✗ ${row.name} (${columns[index]})\n${error.stack}`);
  }
  return failed;
}

/**
 * Removes the row id from the start of a name.
 * @param {string} name
 */
function toTitle(name) {
  return name.replace(/^[A-Z]\d+: /, '');
}
