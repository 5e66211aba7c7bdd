// Runs a real browser without a window.
import { readFile } from 'node:fs/promises';
import { CHROMIUM, CHROMIUM_FLAGS } from '../chromium.mjs';

// A variable, so that the type checker does not resolve it: the package is installed only for this command.
const PLAYWRIGHT = 'playwright-core';

/**
 * Starts one browser for all calls. Each call has a context of its own, so it shares no cookies, storage or connections with another.
 * @returns {Promise<Browser>}
 */
export async function startChromium() {
  const { chromium } = await import(PLAYWRIGHT);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
  return {
    async call({ script, url }, name, args) {
      // The page of the demo allows only its own scripts; this tests the client, not the page.
      const context = await browser.newContext({ bypassCSP: true });
      try {
        const page = await context.newPage();
        await page.goto(url);
        await page.addScriptTag({ content: await readFile(script, 'utf8') });
        return await page.evaluate(
          (/** @type {[string, unknown[]]} */ [called, given]) => Reflect.get(globalThis, called)(...given),
          [name, args],
        );
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

/**
 * @typedef {object} Browser
 * @property {(page: { script: string, url: string }, name: 'takeTurn' | 'defaultExchange' | 'refusalOf', args: unknown[]) => Promise<any>} call
 *   calls a function of the bundle (`script` is its path) on a page of the agent at `url`
 * @property {() => Promise<void>} close
 */
