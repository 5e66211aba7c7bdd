// 360 pixels wide: every control is reachable, and nothing is wider than the screen.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @param {import('playwright-core').Page} page */
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'narrow',
  browser: { viewport: { width: 360, height: 740 }, hasTouch: true },
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await shot('empty');
    assert.ok((await overflow(page)) <= 0, 'empty page: nothing is wider than the screen');
    await studio.ask('markdown');
    await studio.ask('artifacts');
    assert.ok((await overflow(page)) <= 0, 'with content: nothing is wider than the screen');
    await shot('full');
    assert.deepEqual(await seriousViolations(page), []);
    await studio.say('question');
    await studio.question.waitFor();
    assert.ok(await studio.sendButton.isVisible());
    await shot('question');
    await studio.about.click();
    await page.getByRole('dialog').waitFor();
    assert.ok((await overflow(page)) <= 0, 'the card is not wider than the screen');
    await shot('card');
    await page.keyboard.press('Escape');
  },
};
