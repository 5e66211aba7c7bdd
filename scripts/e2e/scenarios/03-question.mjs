// The agent asks a question; the reply goes to the same task. A reloaded page still shows the question.
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
    assert.deepEqual(await seriousViolations(page), [], 'axe, with an open question');
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
    assert.equal(answered.id, asked.id, 'the same task continued');
    assert.equal(await countTasks(url), tasks);
    await studio.shows(textOf(answered));
    await shot('answered');
  },
};
