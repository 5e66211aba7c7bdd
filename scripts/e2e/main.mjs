// Runs the scenarios one after the other against one `npm start`, and prints the outcome of each.
import { readdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { CHROMIUM, CHROMIUM_FLAGS } from '../chromium.mjs';
import { readOptions } from './options.mjs';
import { runScenario } from './run-scenario.mjs';
import { Server } from './server.mjs';

/** @typedef {import('./run-scenario.mjs').Scenario} Scenario */
/** @typedef {import('./run-scenario.mjs').Outcome} Outcome */

const options = readOptions(process.argv.slice(2));
const scenarios = choose(await loadScenarios());
if (scenarios.length === 0) {
  console.error(`No scenario starts with ${options.only.join(' or ')}.`);
  process.exit(1);
}
const server = await Server.start();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
let isStopping = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    isStopping = true;
    void close().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  });
}
try {
  console.log(`Chromium ${browser.version()} against ${server.url}; screenshots in ${options.out}`);
  const failed = await runAll();
  console.log(failed === 0 ? `All ${scenarios.length} scenarios passed.` : `${failed} of ${scenarios.length} scenarios failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await close();
}

async function close() {
  await browser.close();
  await server.stop();
}

/** @returns {Promise<Scenario[]>} */
async function loadScenarios() {
  const folder = new URL('scenarios/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.mjs')).sort();
  return Promise.all(files.map(async (file) => (await import(new URL(file, folder).href)).default));
}

/** @param {Scenario[]} all */
function choose(all) {
  if (options.only.length > 0) return all.filter(({ name }) => options.only.some((only) => name.startsWith(only)));
  return options.quick ? all.filter(({ quick }) => quick) : all;
}

async function runAll() {
  let failed = 0;
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  for (const scenario of scenarios) {
    if (isStopping) break;
    const outcome = await runScenario(scenario, { browser, server, out: options.out });
    if (outcome.error) failed += 1;
    console.log(`${outcome.error ? '✗' : '✓'} ${outcome.name.padEnd(width)} ${(outcome.ms / 1000).toFixed(1).padStart(6)} s`);
    for (const note of outcome.notes) console.log(`    ${note}`);
    if (outcome.error) console.log(String(outcome.error instanceof Error ? outcome.error.stack : outcome.error).replaceAll(/^/gm, '    '));
  }
  return failed;
}
