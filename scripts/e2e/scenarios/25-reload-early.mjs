// The page reloads while a message is in flight: the message is sent once, and the reloaded page shows the answer.
import assert from 'node:assert/strict';
import { countTasks, latestTask, textOf, undisturbed } from '../agent.mjs';
import { Studio } from '../studio.mjs';
import { until } from '../until.mjs';

const DELAYS_MS = [0, 20, 60, 150, 400];

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'reload-early',
  async run({ page, url, shot }) {
    const wanted = await undisturbed(url, 'story');
    const studio = await Studio.open(page, url);
    await studio.ask('The first thing said here');
    let tasks = await countTasks(url);
    for (const [index, delayMs] of DELAYS_MS.entries()) {
      await studio.say('story');
      await page.waitForTimeout(delayMs);
      await page.reload();
      await until(`an answer after a reload at ${delayMs} ms`, async () => (await studio.answers.count()) === index + 2);
      await studio.ended();
      await studio.shows(wanted);
      tasks += 1;
      assert.equal(await countTasks(url), tasks, `the message is sent once, although the page reloaded after ${delayMs} ms`);
      assert.equal(textOf(await latestTask(url)), wanted);
    }
    await shot();
  },
};
