// A hundred thousand chunks: slower, and still usable and complete.
import assert from 'node:assert/strict';
import { latestTask, textOf } from '../agent.mjs';
import { heapMb, takeLongTasks, watchLongTasks } from '../main-thread.mjs';
import { Studio } from '../studio.mjs';

const COUNT = 100_000;

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'many-chunks',
  async run({ page, url, shot, note }) {
    await watchLongTasks(page);
    const studio = await Studio.open(page, url);
    const began = performance.now();
    await studio.say(`chunks ${COUNT}`);
    await studio.ended(150_000);
    const tasks = await takeLongTasks(page);
    note(
      `${((performance.now() - began) / 1000).toFixed(1)} s: longest task ${(tasks[0] ?? 0).toFixed(0)} ms; ${(await heapMb(page)).toFixed(0)} MB held`,
    );
    await shot();
    const task = await latestTask(url);
    assert.equal(textOf(task).trim().split(/\s+/).length, COUNT);
    await studio.shows(textOf(task));
  },
};
