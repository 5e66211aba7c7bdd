// Ten thousand chunks: the main thread stays free, and memory does not run away.
import assert from 'node:assert/strict';
import { loadavg } from 'node:os';
import { latestTask, textOf } from '../agent.mjs';
import { heapMb, takeLongTasks, watchLongTasks } from '../main-thread.mjs';
import { Studio } from '../studio.mjs';

const COUNT = 10_000;
const MOST_MS = 100;
/** The limit is for a machine that does nothing else: of several rounds the best one tells what the page itself takes. */
const ROUNDS = 3;

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'chunks',
  async run({ page, url, shot, note }) {
    await watchLongTasks(page);
    const studio = await Studio.open(page, url);
    await studio.ask('echo, to warm up');
    const before = await heapMb(page);
    const longest = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { seconds, tasks } = await stream(studio);
      const load = loadavg()[0]?.toFixed(1);
      note(
        `${COUNT} chunks in ${seconds.toFixed(1)} s, longest task ${Math.round(tasks[0] ?? 0)} ms, ${tasks.length} over 50 ms, load ${load}`,
      );
      longest.push(tasks[0] ?? 0);
      await studio.shows(textOf(await latestTask(url)));
      if ((tasks[0] ?? 0) <= MOST_MS) break;
    }
    note(`${before.toFixed(1)} MB held before, ${(await heapMb(page)).toFixed(1)} MB after ${longest.length * COUNT} chunks`);
    await shot();
    assert.equal(await studio.composer.inputValue(), 'typed while it streams');
    assert.ok(Math.min(...longest) <= MOST_MS, `no task over ${MOST_MS} ms`);
  },
};

/** @param {Studio} studio */
async function stream(studio) {
  await takeLongTasks(studio.page);
  const began = performance.now();
  await studio.say(`chunks ${COUNT}`);
  await studio.composer.fill('typed while it streams');
  await studio.ended(120_000);
  return { seconds: (performance.now() - began) / 1000, tasks: await takeLongTasks(studio.page) };
}
