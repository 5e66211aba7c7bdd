// Markup, scripts, beacons and control characters are shown as text: nothing runs, nothing is fetched, and the layout stays intact.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { assertHarmless, assertNothingRan } from '../hostile.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'hostile',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('hostile');
    for (const button of await studio.artifacts.getByRole('button', { name: /^Preview / }).all()) await button.click();
    // Also the log and its details, from the newest event upwards.
    await studio.events.getByRole('option').last().click();
    await studio.events.getByRole('listbox').focus();
    for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowUp');
    await page.waitForTimeout(500);
    await shot();
    for (const link of await studio.artifacts.getByRole('listitem').filter({ hasText: 'a link' }).getByText('Open').all())
      await link.click();
    await assertHarmless(page);
    assert.ok(await studio.composer.isVisible(), 'the page still works');
    await studio.threads.first().waitFor({ state: 'attached' });
    assert.deepEqual(await seriousViolations(page), []);
    await page.reload();
    await studio.answer.waitFor();
    await assertNothingRan(page); // nor from stored data
  },
};
