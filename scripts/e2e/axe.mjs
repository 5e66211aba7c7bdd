// Finds accessibility problems with axe.
import axe from 'axe-core';

/**
 * Serious and critical violations, each with its location. The script is evaluated, because the page forbids inline scripts.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function seriousViolations(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => Reflect.get(globalThis, 'axe').run());
  return violations
    .filter((/** @type {any} */ { impact }) => impact === 'serious' || impact === 'critical')
    .map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.target.join(' ')).join(', ')}`);
}
