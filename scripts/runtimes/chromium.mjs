// A real browser, driven without a window.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM, CHROMIUM_FLAGS } from '../chromium.mjs';

// By a name that the type checker does not follow: it is installed only when this is run.
const PLAYWRIGHT = 'playwright-core';

/**
 * Takes the turn on a page of the agent itself.
 * @param {string} script path of the bundle
 * @param {string} url
 * @param {string} words
 * @returns {Promise<import('./turn.mjs').Outcome>}
 */
export async function turnInChromium(script, url, words) {
  const { chromium } = await import(PLAYWRIGHT);
  const profile = await mkdtemp(join(tmpdir(), 'parley-chromium-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: CHROMIUM_FLAGS,
    // The page of the demo allows its own script only; what is tried here is the client and not the page.
    bypassCSP: true,
  });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.addScriptTag({ content: await readFile(script, 'utf8') });
    return await page.evaluate(
      (/** @type {string[]} */ [at, text]) => Reflect.get(globalThis, 'takeTurn')(at, text, { cut: true }),
      [url, words],
    );
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}
