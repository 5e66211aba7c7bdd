// Two tabs answer the same question: one answer wins, and the other tab keeps its text and shows why it was not sent.
import assert from 'node:assert/strict';
import { latestTask, readTask, textOf } from '../agent.mjs';
import { Studio } from '../studio.mjs';
import { until } from '../until.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'two-answers',
  async run({ page, context, url, shot }) {
    const first = await Studio.open(page, url);
    await first.say('question');
    await first.question.waitFor();
    const { id } = await latestTask(url);
    const second = await Studio.open(await context.newPage(), url);
    await second.question.waitFor();
    await first.composer.fill('Lisbon');
    await second.composer.fill('Porto');
    await Promise.all([first.sendButton.click(), second.sendButton.click()]);

    const task = await until('the task with the question has ended', async () => {
      const asked = await readTask(url, id);
      return asked.status.state === 'TASK_STATE_COMPLETED' ? asked : undefined;
    });
    const said = (task.history ?? []).filter(({ role }) => role === 'ROLE_USER').flatMap(({ parts }) => parts.map(({ text }) => text));
    const [winner, ...more] = said.filter((text) => text === 'Lisbon' || text === 'Porto');
    assert.deepEqual(more, [], 'only one answer reaches the task');
    assert.match(textOf(task), new RegExp(`A day in ${winner}\\.`));
    for (const tab of [first, second]) {
      await tab.ended();
      await tab.question.waitFor({ state: 'hidden' });
      await tab.page.getByText(`A day in ${winner}.`).first().waitFor();
    }
    await shot('first');
    await shot('second', second.page);
    const loser = winner === 'Lisbon' ? { tab: second, text: 'Porto' } : { tab: first, text: 'Lisbon' };
    assert.equal((await latestTask(url)).id, id, 'the late answer is not sent as a new message');
    assert.equal(await loser.tab.composer.inputValue(), loser.text, 'the text is still in the field');
  },
};
