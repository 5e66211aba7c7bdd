// A whole conversation without a mouse, with a visible focus at each step.
import assert from 'node:assert/strict';
import { Studio } from '../studio.mjs';

/** The focused element, by its accessible name. @param {import('playwright-core').Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: '', isSeen: true };
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const around = element.parentElement?.closest('*:focus-within');
    const framed = around ? getComputedStyle(around) : undefined;
    const isSeen = [outlineStyle !== 'none' && outlineWidth !== '0px', boxShadow !== 'none', framed?.outlineStyle !== 'none'].some(Boolean);
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    return { name: name.slice(0, 60), isSeen };
  });

/** Presses Tab until an element with this name has the focus. @param {import('playwright-core').Page} page @param {RegExp} name */
async function tabTo(page, name) {
  /** @type {string[]} */
  const met = [];
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    assert.ok(now.isSeen, `the focus on "${now.name}" is visible`);
    if (name.test(now.name)) return;
    met.push(now.name);
  }
  assert.fail(`Tab does not reach ${name}; it reaches: ${[...new Set(met)].join(', ')}`);
}

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'keyboard',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    if (!/^Message$/.test((await focused(page)).name)) await tabTo(page, /^Message$/);
    await page.keyboard.type('question');
    await page.keyboard.press('Enter');
    await studio.question.waitFor();
    if (!/^Message$/.test((await focused(page)).name)) await tabTo(page, /^Message$/);
    await page.keyboard.type('Porto');
    await page.keyboard.press('Enter');
    await studio.answer.getByText('A day in Porto.').first().waitFor();
    await studio.ended();

    await page.keyboard.type('slow 60');
    await page.keyboard.press('Enter');
    await studio.stopButton.waitFor();
    await tabTo(page, /^Stop$/);
    await shot('stop');
    await page.keyboard.press('Enter');
    await studio.ended();

    await tabTo(page, /^About this agent$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await shot('card');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.match((await focused(page)).name, /^About this agent$/, 'the focus returns to the button');
    await tabTo(page, /^New conversation$/);
    await page.keyboard.press('Enter');
    await studio.said.first().waitFor({ state: 'hidden' });
    await shot('new');
  },
};
