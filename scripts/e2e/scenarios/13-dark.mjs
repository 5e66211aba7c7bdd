// The theme follows the system until the user chooses another, and the choice persists.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** Brightness of the page, 0 to 255. @param {import('playwright-core').Page} page */
const lightness = (page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (canvas === null) return Number.NaN;
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data[0] ?? Number.NaN;
  });

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'dark',
  browser: { colorScheme: 'dark' },
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    assert.ok((await lightness(page)) < 64, 'dark, as the system prefers');
    await shot('empty');
    assert.deepEqual(await seriousViolations(page), [], 'axe, empty');
    await studio.ask('markdown');
    await studio.ask('artifacts');
    await studio.say('auth');
    await studio.question.waitFor();
    await shot('full');
    assert.deepEqual(await seriousViolations(page), [], 'axe, with all content');

    for (let click = 0; click < 3 && !/light/i.test((await studio.theme.getAttribute('aria-label')) ?? ''); click++)
      await studio.theme.click();
    assert.ok((await lightness(page)) > 192, 'light, as chosen');
    await page.reload();
    await studio.composer.waitFor();
    assert.ok((await lightness(page)) > 192, 'still light after a reload');
    await shot('light');
  },
};
