// Editing a message starts another branch; the first version stays available.
import assert from 'node:assert/strict';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'edit',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('The first wording');
    await studio.said.first().getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Edit message' }).fill('The second wording');
    await shot('editing');
    await studio.said.first().getByRole('button', { name: 'Send', exact: true }).click();
    await studio.answer.getByText('“The second wording”').waitFor();
    await studio.ended();
    assert.equal(await studio.said.count(), 1);
    await shot('edited');

    await studio.said.first().getByRole('button', { name: 'Previous version' }).click();
    await studio.said.first().getByText('The first wording').waitFor();
    await studio.answer.getByText('“The first wording”').waitFor();
    await studio.said.first().getByRole('button', { name: 'Next version' }).click();
    await studio.answer.getByText('“The second wording”').waitFor();
    await page.reload();
    await studio.answer.getByText('“The second wording”').waitFor();
    await studio.said.first().getByRole('button', { name: 'Previous version' }).click();
    await studio.answer.getByText('“The first wording”').waitFor();
  },
};
