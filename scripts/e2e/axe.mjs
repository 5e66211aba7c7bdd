// What axe finds wrong with a page for people who do not see it, or use no mouse.
import axe from 'axe-core';

/**
 * Serious and critical violations, each with where it is. Evaluated rather than added as a script: the page allows no inline ones.
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
