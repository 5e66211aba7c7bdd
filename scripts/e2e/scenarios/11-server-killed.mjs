// The agent is killed during a stream and started again: the page waits, resumes, and shows the whole story.
import assert from 'node:assert/strict';
import { countTasks, latestTask, textOf, undisturbed } from '../agent.mjs';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'server-killed',
  async run({ page, url, server, shot }) {
    const wanted = await undisturbed(url, 'story');
    const tasks = await countTasks(url);
    const studio = await Studio.open(page, url);
    await studio.say('story');
    await studio.hasBegun(300);
    await server.kill();
    await page.waitForTimeout(1_000);
    await shot('down');
    assert.deepEqual(await seriousViolations(page), [], 'axe, while the agent is down');
    await server.restart();
    await studio.ended(60_000);
    assert.equal(textOf(await latestTask(url)), wanted);
    await studio.shows(wanted);
    assert.equal(await countTasks(url), tasks + 1);
    await shot('back');
  },
};
