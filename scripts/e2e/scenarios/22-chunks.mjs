// Ten thousand chunks: the main thread stays free, and memory does not run away.
import assert from 'node:assert/strict';
import { latestTask, textOf } from '../agent.mjs';
import { heapMb, takeLongTasks, watchLongTasks } from '../main-thread.mjs';
import { Studio } from '../studio.mjs';

const COUNT = 10_000;
const MOST_MS = 100;

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'chunks',
  async run({ page, url, shot, note }) {
    await watchLongTasks(page);
    const studio = await Studio.open(page, url);
    await studio.ask('echo, to warm up');
    const before = await heapMb(page);
    await takeLongTasks(page);
    const began = performance.now();
    await studio.say(`chunks ${COUNT}`);
    await studio.composer.fill('typed while it streams');
    await studio.ended(120_000);
    const seconds = (performance.now() - began) / 1000;
    const tasks = await takeLongTasks(page);
    const after = await heapMb(page);
    await shot();
    note(
      `${COUNT} chunks in ${seconds.toFixed(1)} s: longest task ${(tasks[0] ?? 0).toFixed(0)} ms, ${tasks.length} over 50 ms; ` +
        `${before.toFixed(1)} MB held before, ${after.toFixed(1)} MB after`,
    );
    const task = await latestTask(url);
    assert.equal(textOf(task).trim().split(/\s+/).length, COUNT);
    await studio.shows(textOf(task));
    assert.equal(await studio.composer.inputValue(), 'typed while it streams');
    assert.ok((tasks[0] ?? 0) <= MOST_MS, `no task over ${MOST_MS} ms: ${tasks.slice(0, 5).map(Math.round).join(', ')}`);
  },
};
