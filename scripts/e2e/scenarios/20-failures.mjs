// Failed tasks and calls show their reason, and the page keeps working.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'failures',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('fail');
    await studio.answer.getByText('every thirty seconds').first().waitFor();
    await studio.ask('reject');
    await studio.answer.getByText('on principle').first().waitFor();
    await studio.ask('crash');
    assert.doesNotMatch((await page.textContent('body')) ?? '', /asked for; callers never see/);
    await shot('tasks');
    assert.deepEqual(await seriousViolations(page), []);
    await studio.say('busy');
    await page.getByText('pretends to be busy').first().waitFor({ timeout: 60_000 });
    await shot('busy');
    await studio.ask('message');
    await studio.answer.getByText('A direct answer, and no task.').waitFor();
  },
};
