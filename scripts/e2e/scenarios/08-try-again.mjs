// The user asks for another answer: both versions stay available.
import assert from 'node:assert/strict';
import { countTasks } from '../agent.mjs';
import { Studio } from '../studio.mjs';
import { until } from '../until.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'try-again',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('Say it twice');
    const tasks = await countTasks(url);
    await studio.answer.getByRole('button', { name: 'Try again' }).click();
    await until('a second task', async () => (await countTasks(url)) === tasks + 1);
    await studio.ended();
    await studio.answer.getByText('“Say it twice”').waitFor();
    await studio.answer.getByRole('button', { name: 'Previous version' }).click();
    await studio.answer.getByText('“Say it twice”').waitFor();
    assert.equal(await studio.answers.count(), 1);
    assert.equal(await studio.said.count(), 1);
    await shot();
  },
};
