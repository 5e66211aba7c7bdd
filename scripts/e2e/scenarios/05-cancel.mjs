// Stop cancels the task at the agent; the text received so far stays.
import assert from 'node:assert/strict';
import { latestTask } from '../agent.mjs';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';
import { until } from '../until.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'cancel',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.say('story');
    await studio.hasBegun(200);
    await studio.stopButton.click();
    await studio.ended();
    await until('the task is canceled', async () => (await latestTask(url)).status.state === 'TASK_STATE_CANCELED');
    assert.match((await studio.answer.textContent()) ?? '', /The lighthouse keeper/, 'the text received so far stays');
    await shot();
    assert.deepEqual(await seriousViolations(page), []);
    await studio.ask('echo after the cancel');
    assert.match((await studio.answer.textContent()) ?? '', /echo after the cancel/);
  },
};
