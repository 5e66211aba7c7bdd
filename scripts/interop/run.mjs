// Starts the built agents and runs every case over every binding, in both directions. Prints the results and fails if a case failed.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as theirs from '@assistant-ui/react-a2a';
import * as ours from '@parley/a2a/assistant-ui';
import { listen } from '@parley/a2a/node';
import { startDemo } from '../../packages/demo/dist/start-demo.js';
import { setOut, TOUR } from './a2a-client-tour.mjs';
import { CASES } from './cases.mjs';
import { frameworks } from './frameworks/run.mjs';
import { OUR_CASES, reach } from './our-client-cases.mjs';
import { startSdkAgent } from './sdk-agent.mjs';
import { createSecondAgent, quickClock } from './second-agent.mjs';
import { BINDINGS, connect } from './target.mjs';
import { V03_CASES } from './v03/cases.mjs';
import { OUR_V03_CASES, reachV03 } from './v03/our-client-cases.mjs';
import { createPartsAgent } from './v03/parts-agent.mjs';
import { quiet } from './v03/quiet.mjs';
import { startSdkAgents } from './v03/sdk-agent.mjs';
import { connectV03 } from './v03/target.mjs';

/** @typedef {import('./target.mjs').BindingName} BindingName */
/** @typedef {Error | 'ok' | 'not for this binding'} Outcome */
/** @typedef {{ name: string, outcomes: Outcome[] }} Row */

/** A stream that does not end must not stop the other cases. */
const CASE_TIMEOUT_MS = 15_000;

const sdk = (await officialClient()) + (await ourClient()) + (await officialV03Client()) + (await ourClientAtV03()) + (await tour());
const failures = sdk + (await frameworks());
process.exitCode = failures > 0 ? 1 : 0;

/** @returns {Promise<number>} number of failed cases */
async function officialClient() {
  const demo = await startDemo({ port: 0, clock: quickClock, taskAfterMs: Number.POSITIVE_INFINITY });
  const second = await listen(createSecondAgent(), { port: 0 });
  try {
    const targets = await Promise.all(BINDINGS.map((binding) => connect(binding, { demo: demo.url, second: second.url })));
    return report('the client of @a2a-js/sdk 1.3.0 against Parley, A2A 1.0', await runCases(CASES, targets));
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
      run: (/** @type {BindingName} */ binding) => run(reach(binding, { streaming, calm })),
    }));
    return report('the client of Parley against @a2a-js/sdk 1.3.0, A2A 1.0', await runCases(cases, BINDINGS));
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
  }
}

/** @returns {Promise<number>} number of failed cases */
async function officialV03Client() {
  const demo = await startDemo({ port: 0, clock: quickClock, taskAfterMs: Number.POSITIVE_INFINITY });
  const second = await listen(createSecondAgent(), { port: 0 });
  const parts = await listen(createPartsAgent(), { port: 0 });
  const restore = quiet();
  try {
    const urls = { demo: demo.url, second: second.url, parts: parts.url };
    const targets = await Promise.all(BINDINGS.map((binding) => connectV03(binding, urls)));
    const rows = await runCases(V03_CASES, targets);
    restore();
    return report('the client of @a2a-js/sdk 0.3.14 against Parley, A2A 0.3', rows);
  } finally {
    restore();
    await Promise.all([demo, second, parts].map((agent) => agent.close({ drainMs: 0 })));
  }
}

/** @returns {Promise<number>} number of failed cases */
async function ourClientAtV03() {
  const agents = await startSdkAgents();
  const restore = quiet();
  try {
    const targets = BINDINGS.map((binding) => ({ binding, urls: agents.urls }));
    const cases = OUR_V03_CASES.map(({ name, run }) => ({
      name,
      run: (/** @type {typeof targets[number]} */ { binding, urls }) => run(reachV03(binding, urls)),
    }));
    const rows = await runCases(cases, targets);
    restore();
    return report('the client of Parley against @a2a-js/sdk 0.3.14, A2A 0.3', rows);
  } finally {
    restore();
    await agents.close();
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
 * @param {readonly { name: string, run: (target: T) => Promise<unknown>, only?: BindingName }[]} cases
 * @param {readonly T[]} targets one per column
 */
async function runCases(cases, targets) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, run, only } of cases) {
    const running = targets.map((target, column) =>
      only === undefined || only === BINDINGS[column] ? attempt(run(target)) : 'not for this binding',
    );
    rows.push({ name, outcomes: await Promise.all(running) });
  }
  return rows;
}

/**
 * @param {Promise<unknown>} running
 * @returns {Promise<Outcome>}
 */
async function attempt(running) {
  const patience = new AbortController();
  const late = sleep(CASE_TIMEOUT_MS, undefined, patience).then(() => assert.fail(`no result after ${CASE_TIMEOUT_MS} ms`));
  try {
    await Promise.race([running, late]);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    late.catch(() => {});
    patience.abort();
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
    const cells = outcomes.map((outcome) => (outcome instanceof Error ? 'FAILED' : outcome === 'ok' ? 'ok' : '–'));
    line(toTitle(name), cells);
  }
  const outcomes = rows.flatMap((row) => row.outcomes).filter((outcome) => outcome !== 'not for this binding');
  const failed = outcomes.filter((outcome) => outcome !== 'ok').length;
  console.log(`\n${outcomes.length - failed} of ${outcomes.length} ok: ${title}\n`);
  for (const row of rows) {
    for (const [index, error] of row.outcomes.entries())
      if (error instanceof Error) console.error(`\n✗ ${row.name} (${columns[index]})\n${error.stack}`);
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
