// The agent asks; the answer goes to the same task. A page that is loaded anew still has the question.
import assert from 'node:assert/strict';
import { countTasks, latestTask, textOf } from '../agent.mjs';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'question',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.say('question');
    await studio.question.getByText('Which city would you like to visit?').waitFor();
    await shot('asked');
    assert.deepEqual(await seriousViolations(page), [], 'axe, while it asks');
    const asked = await latestTask(url);
    const tasks = await countTasks(url);

    await page.reload();
    await studio.question.getByText('Which city would you like to visit?').waitFor();
    await shot('reloaded');
    await studio.say('Lisbon');
    await studio.answer.getByText('A day in Lisbon.').first().waitFor();
    await studio.ended();
    await studio.question.waitFor({ state: 'hidden' });
    const answered = await latestTask(url);
    assert.equal(answered.id, asked.id, 'the same task went on');
    assert.equal(await countTasks(url), tasks);
    await studio.shows(textOf(answered));
    await shot('answered');
  },
};
