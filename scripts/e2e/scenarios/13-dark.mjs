// Dark by the system's wish, light by one's own, and it stays so.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** How light the page is, 0 to 255. @param {import('playwright-core').Page} page */
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
    assert.ok((await lightness(page)) < 64, 'dark, as the system wants it');
    await shot('empty');
    assert.deepEqual(await seriousViolations(page), [], 'axe, empty');
    await studio.ask('markdown');
    await studio.ask('artifacts');
    await studio.say('auth');
    await studio.question.waitFor();
    await shot('full');
    assert.deepEqual(await seriousViolations(page), [], 'axe, with everything');

    for (let click = 0; click < 3 && !/light/i.test((await studio.theme.getAttribute('aria-label')) ?? ''); click++)
      await studio.theme.click();
    assert.ok((await lightness(page)) > 192, 'light, as chosen');
    await page.reload();
    await studio.composer.waitFor();
    assert.ok((await lightness(page)) > 192, 'and still light');
    await shot('light');
  },
};
