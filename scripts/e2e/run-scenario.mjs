// Runs one scenario in its own browser profile.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { guard } from './guard.mjs';

/**
 * @typedef {object} World the tools of a scenario
 * @property {import('playwright-core').Page} page
 * @property {import('playwright-core').BrowserContext} context for opening other tabs
 * @property {import('playwright-core').Browser} browser
 * @property {string} url
 * @property {import('./server.mjs').Server} server
 * @property {(name?: string, page?: import('playwright-core').Page) => Promise<void>} shot writes a screenshot
 * @property {(line: string) => void} note prints a line below the row of the scenario
 */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {boolean} [quick] part of the short list
 * @property {import('playwright-core').BrowserContextOptions} [browser] options such as viewport and color scheme
 * @property {RegExp} [allowed] faults that the scenario causes on purpose
 * @property {(world: World) => Promise<void>} run
 */

/** @typedef {{ name: string, error: unknown, ms: number, notes: string[] }} Outcome */

const FAILED = 'FAILED';
const TIMEOUT_MS = 10_000;
const MOST_MS = 240_000;

/**
 * @param {Scenario} scenario
 * @param {{ browser: import('playwright-core').Browser, server: import('./server.mjs').Server, out: string }} tools
 * @returns {Promise<Outcome>}
 */
export async function runScenario(scenario, { browser, server, out }) {
  const began = performance.now();
  /** @type {string[]} */
  const notes = [];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...scenario.browser });
  context.setDefaultTimeout(TIMEOUT_MS);
  const faults = guard(context);
  const page = await context.newPage();
  const pathOf = (/** @type {string} */ name) =>
    join(out, `${[scenario.name, name].filter(Boolean).join('-').replaceAll(/\W+/g, '-')}.png`);
  const shot = async (name = '', of = page) => {
    await mkdir(out, { recursive: true });
    await of.screenshot({ path: pathOf(name) });
  };
  await rm(pathOf(FAILED), { force: true });
  let error;
  try {
    const world = { page, context, browser, url: server.url, server, shot, note: (/** @type {string} */ line) => void notes.push(line) };
    await within(scenario.run(world));
    const unwanted = faults.filter((fault) => !scenario.allowed?.test(fault));
    if (unwanted.length > 0) throw new Error(unwanted.slice(0, 5).join('\n'));
  } catch (thrown) {
    error = thrown;
    for (const fault of faults) notes.push(fault);
    await shot(FAILED).catch(() => {});
  } finally {
    await context.close();
  }
  return { name: scenario.name, error, ms: performance.now() - began, notes };
}

/**
 * A scenario that hangs must not block the others.
 * @param {Promise<void>} running
 */
async function within(running) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the scenario took more than ${MOST_MS / 1000} s`)), MOST_MS);
  });
  await Promise.race([running, late]).finally(() => clearTimeout(timer));
}
