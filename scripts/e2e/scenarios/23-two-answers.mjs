// Two tabs answer the same question: one answer counts, the other tab is told, and both show the same.
import assert from 'node:assert/strict';
import { latestTask, textOf } from '../agent.mjs';
import { Studio } from '../studio.mjs';
import { until } from '../until.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'two-answers',
  async run({ page, context, url, shot }) {
    const first = await Studio.open(page, url);
    await first.say('question');
    await first.question.waitFor();
    const second = await Studio.open(await context.newPage(), url);
    await second.question.waitFor();
    await first.composer.fill('Lisbon');
    await second.composer.fill('Porto');
    await Promise.all([first.sendButton.click(), second.sendButton.click()]);
    const task = await until('the task has ended', async () => {
      const latest = await latestTask(url);
      return latest.status.state === 'TASK_STATE_COMPLETED' ? latest : undefined;
    });
    const wanted = textOf(task);
    assert.match(wanted, /A day in (Lisbon|Porto)\./);
    for (const tab of [first, second]) {
      await tab.ended();
      await tab.question.waitFor({ state: 'hidden' });
    }
    await page.waitForTimeout(500);
    await shot('first');
    await shot('second', second.page);
    const history = (task.history ?? []).filter(({ role }) => role === 'ROLE_USER').flatMap(({ parts }) => parts.map((part) => part.text));
    const answers = history.filter((text) => text === 'Lisbon' || text === 'Porto');
    assert.equal(answers.length, 1, `one answer counts, the task has ${answers.join(' and ')}`);
    for (const tab of [first, second]) await tab.page.getByText(wanted.slice(0, 20)).first().waitFor();
  },
};
