// A story is streamed, and the log shows each of its events.
import assert from 'node:assert/strict';
import { latestTask, textOf } from '../agent.mjs';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';
import { until } from '../until.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'stream',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await page.getByRole('list', { name: 'Skills' }).waitFor();
    await shot('empty');
    assert.deepEqual(await seriousViolations(page), [], 'axe, before the first message');

    await studio.say('story');
    await studio.hasBegun(200);
    assert.ok(await studio.stopButton.isVisible(), 'Stop is visible while it runs');
    const early = (await studio.answer.textContent())?.length ?? 0;
    await shot('running');
    assert.deepEqual(await seriousViolations(page), [], 'axe, during the stream');
    await until('the answer grows', async () => ((await studio.answer.textContent())?.length ?? 0) > early);

    await studio.ended();
    await studio.shows(textOf(await latestTask(url)));
    const chunks = studio.events.getByRole('option').filter({ hasText: 'chunk' });
    const seqs = await chunks.evaluateAll((rows) => rows.flatMap(({ dataset }) => dataset.seq ?? []).map(Number));
    assert.ok(seqs.length > 5, 'the log shows numbered events');
    assert.deepEqual(
      seqs,
      seqs.map((_, index) => (seqs[0] ?? 0) + index),
      'each event once, in order, without a gap',
    );
    await shot('done');
    assert.deepEqual(await seriousViolations(page), [], 'axe, at the end');
  },
};
