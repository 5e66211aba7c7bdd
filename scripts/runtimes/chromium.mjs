// Runs a real browser without a window.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM, CHROMIUM_FLAGS } from '../chromium.mjs';

// A variable, so that the type checker does not resolve it: the package is installed only for this command.
const PLAYWRIGHT = 'playwright-core';

/**
 * Calls a function of the bundle on a page of the agent.
 * @param {{ script: string, url: string }} page path of the bundle, and address of the agent
 * @param {'takeTurn' | 'defaultExchange' | 'refusalOf'} name
 * @param {unknown[]} args
 * @returns {Promise<any>}
 */
export async function callInChromium({ script, url }, name, args) {
  const { chromium } = await import(PLAYWRIGHT);
  const profile = await mkdtemp(join(tmpdir(), 'parley-chromium-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: CHROMIUM_FLAGS,
    // The page of the demo allows only its own scripts; this tests the client, not the page.
    bypassCSP: true,
  });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.addScriptTag({ content: await readFile(script, 'utf8') });
    return await page.evaluate(
      (/** @type {[string, unknown[]]} */ [called, given]) => Reflect.get(globalThis, called)(...given),
      [name, args],
    );
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}
