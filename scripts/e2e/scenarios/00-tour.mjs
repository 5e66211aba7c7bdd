// The quick scenario: one page does briefly what the other scenarios do thoroughly.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { countTasks, latestTask, textOf } from '../agent.mjs';
import { seriousViolations } from '../axe.mjs';
import { assertHarmless } from '../hostile.mjs';
import { Studio } from '../studio.mjs';
import { until } from '../until.mjs';

const QUESTION = 'Which city would you like to visit?';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'tour',
  quick: true,
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await page.getByRole('list', { name: 'Skills' }).waitFor();
    await streamAcrossReload(studio, url);
    await stopStory(studio, url);
    await answerAfterReload(studio, url);
    await saveFile(studio);
    await studio.ask('hostile');
    for (const button of await studio.artifacts.getByRole('button', { name: /^Preview / }).all()) await button.click();
    await assertHarmless(page);
    assert.deepEqual(await seriousViolations(page), []);
    await page.setViewportSize({ width: 360, height: 740 });
    assert.ok(await studio.sendButton.isVisible(), 'Send is visible on a phone');
    await assertHarmless(page); // also checks that nothing is wider than the screen
    await shot();
  },
};

/**
 * Reloads the page during a stream. The answer is complete at the end, and the log shows each of its events.
 * @param {Studio} studio
 * @param {string} url
 */
async function streamAcrossReload(studio, url) {
  const tasks = await countTasks(url);
  await studio.say('story');
  await studio.hasBegun(150);
  assert.ok(await studio.stopButton.isVisible(), 'Stop is visible while it runs');
  await studio.page.reload();
  await studio.ended();
  await studio.shows(textOf(await latestTask(url)));
  assert.equal(await studio.said.count(), 1);
  assert.equal(await countTasks(url), tasks + 1, 'nothing was sent twice');
  const chunks = studio.events.getByRole('option').filter({ hasText: 'chunk' });
  const seqs = await chunks.evaluateAll((rows) => rows.flatMap(({ dataset }) => dataset.seq ?? []).map(Number));
  assert.ok(seqs.length > 5, 'the log shows numbered events');
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => (seqs[0] ?? 0) + index),
    'each event once, in order, without a gap',
  );
}

/**
 * @param {Studio} studio
 * @param {string} url
 */
async function stopStory(studio, url) {
  await studio.say('story');
  await studio.stopButton.click();
  await until('the task is canceled', async () => (await latestTask(url)).status.state === 'TASK_STATE_CANCELED');
  await studio.ended();
}

/**
 * @param {Studio} studio
 * @param {string} url
 */
async function answerAfterReload(studio, url) {
  await studio.say('question');
  await studio.question.getByText(QUESTION).waitFor();
  const asked = await latestTask(url);
  await studio.page.reload();
  await studio.question.getByText(QUESTION).waitFor();
  await studio.say('Lisbon');
  await studio.answer.getByText('A day in Lisbon.').first().waitFor();
  await studio.ended();
  const answered = await latestTask(url);
  assert.equal(answered.id, asked.id, 'the same task continued');
  await studio.shows(textOf(answered));
}

/** @param {Studio} studio */
async function saveFile(studio) {
  await studio.ask('artifacts');
  const csv = await studio.download('rain.csv');
  assert.equal(csv.name, 'rain.csv');
  assert.match(await readFile(csv.path, 'utf8'), /^month,rain in mm,days\nJanuary,68,17\n[\s\S]*June,61,12\n$/);
}
