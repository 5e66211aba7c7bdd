// The page reloads during a stream: the partial answer appears at once, and the final answer equals that of a run without a reload.
import assert from 'node:assert/strict';
import { countTasks, latestTask, textOf, undisturbed } from '../agent.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'reload-page',
  async run({ page, url, shot, note }) {
    const wanted = await undisturbed(url, 'story');
    const tasks = await countTasks(url);
    const studio = await Studio.open(page, url);
    await studio.say('story');
    for (const length of [150, 400]) {
      await studio.hasBegun(length);
      const before = (await studio.answer.textContent())?.length ?? 0;
      await page.reload();
      await studio.answer.waitFor();
      const after = (await studio.answer.textContent())?.length ?? 0;
      note(`reloaded at ${before} characters, showed ${after} at once`);
      await shot(`at-${length}`);
    }
    await studio.ended();
    const task = await latestTask(url);
    assert.equal(textOf(task), wanted, 'the stored task equals that of a run without a reload');
    await studio.shows(wanted);
    assert.equal(await countTasks(url), tasks + 1, 'nothing was sent twice');
    assert.equal(await studio.said.count(), 1);
    await page.reload();
    await studio.shows(wanted);
    await shot('end');
  },
};
