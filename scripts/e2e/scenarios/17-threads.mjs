// Several conversations, each with its own log and context; they survive a reload.
import assert from 'node:assert/strict';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'threads',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('I like walnuts');
    await studio.threads.getByRole('button', { name: 'New conversation' }).click();
    await studio.said.first().waitFor({ state: 'hidden' });
    await studio.ask('recall');
    assert.match((await studio.answer.textContent()) ?? '', /the first thing you say here/);
    await page.reload();
    await studio.answer.getByText('the first thing you say here').waitFor();
    await studio.threads.getByText('I like walnuts').click();
    await studio.answer.getByText('“I like walnuts”').waitFor();
    await studio.ask('recall');
    assert.match((await studio.answer.textContent()) ?? '', /You said: I like walnuts/);
    await shot();
  },
};
