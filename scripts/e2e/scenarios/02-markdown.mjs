// Markdown is rendered, and links open only when clicked.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'markdown',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('markdown');
    const { answer } = studio;
    await answer.getByRole('heading', { name: 'What to take' }).waitFor();
    assert.equal(await answer.getByRole('row').count(), 4);
    assert.equal(await answer.getByRole('cell', { name: 'the old mill' }).count(), 2);
    assert.ok((await answer.getByRole('listitem').count()) >= 5);
    assert.match((await answer.locator('pre').textContent()) ?? '', /const legs = \[2\.4, 3\.1, 5\.0\];/);
    const link = answer.getByRole('link', { name: 'a2a-protocol.org' });
    assert.match((await link.getAttribute('rel')) ?? '', /noopener|noreferrer/);
    assert.equal(await link.getAttribute('target'), '_blank');
    await shot();
    assert.deepEqual(await seriousViolations(page), []);
  },
};
