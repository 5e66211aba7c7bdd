// The agent asks for permission: the user allows it once and denies it once.
import assert from 'node:assert/strict';
import { latestTask } from '../agent.mjs';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'auth',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.say('auth');
    await studio.question.getByText('May I look into your calendar?').waitFor();
    await shot('asked');
    assert.deepEqual(await seriousViolations(page), []);
    await studio.question.getByRole('button', { name: 'Allow' }).click();
    await studio.answer.getByText('free all day').waitFor();
    await studio.ended();
    assert.equal((await latestTask(url)).status.state, 'TASK_STATE_COMPLETED');

    await studio.say('auth');
    await studio.question.getByRole('button', { name: 'Deny' }).click();
    await studio.question.waitFor({ state: 'hidden' });
    await studio.ended();
    assert.equal((await latestTask(url)).status.state, 'TASK_STATE_REJECTED');
    await shot('refused');
  },
};
