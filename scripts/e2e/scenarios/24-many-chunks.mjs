// A hundred thousand chunks: slower, but still usable and complete.
import assert from 'node:assert/strict';
import { latestTask, textOf } from '../agent.mjs';
import { describeBusy, heapMb, whileBusy } from '../main-thread.mjs';
import { Studio } from '../studio.mjs';

const COUNT = 100_000;

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'many-chunks',
  async run({ page, url, shot, note }) {
    const studio = await Studio.open(page, url);
    const began = performance.now();
    const busy = await whileBusy(page, async () => {
      await studio.say(`chunks ${COUNT}`);
      await studio.ended(150_000);
    });
    note(`${((performance.now() - began) / 1000).toFixed(1)} s: ${describeBusy(busy)}; ${(await heapMb(page)).toFixed(0)} MB held`);
    await shot();
    const task = await latestTask(url);
    assert.equal(textOf(task).trim().split(/\s+/).length, COUNT);
    await studio.shows(textOf(task));
  },
};
