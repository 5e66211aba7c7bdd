// 1440 pixels wide: conversations, content and log side by side.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'wide',
  browser: { viewport: { width: 1440, height: 900 } },
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('markdown');
    await studio.ask('artifacts');
    for (const part of [studio.threads, studio.composer, studio.events]) assert.ok(await part.isVisible());
    await shot();
    assert.deepEqual(await seriousViolations(page), []);
    await studio.about.click();
    const card = page.getByRole('dialog');
    await card.getByText('Tell a story').first().waitFor();
    await shot('card');
    assert.deepEqual(await seriousViolations(page), [], 'axe, the card');
  },
};
