// Ten thousand chunks: the main thread stays responsive, and memory does not grow without bound.
import assert from 'node:assert/strict';
import { loadavg } from 'node:os';
import { latestTask, textOf } from '../agent.mjs';
import { describeBusy, heapMb, whileBusy } from '../main-thread.mjs';
import { Studio } from '../studio.mjs';

const COUNT = 10_000;
const MOST_MS = 100;

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'chunks',
  async run({ page, url, shot, note }) {
    const studio = await Studio.open(page, url);
    await studio.ask('echo, to warm up');
    const before = await heapMb(page);
    const began = performance.now();
    const busy = await whileBusy(page, async () => {
      await studio.say(`chunks ${COUNT}`);
      await studio.composer.fill('typed while it streams');
      await studio.ended(120_000);
    });
    const seconds = (performance.now() - began) / 1000;
    note(`${COUNT} chunks in ${seconds.toFixed(1)} s: ${describeBusy(busy)}; load average ${loadavg()[0]?.toFixed(1)}`);
    note(`${before.toFixed(1)} MB held before, ${(await heapMb(page)).toFixed(1)} MB after`);
    await shot();
    const text = textOf(await latestTask(url));
    assert.equal(text.trim().split(/\s+/).length, COUNT);
    await studio.shows(text);
    assert.equal(await studio.composer.inputValue(), 'typed while it streams');
    // Wall time, because that is what the user notices. Needs a machine without other load.
    assert.ok(busy.wallMs <= MOST_MS, `no task over ${MOST_MS} ms`);
  },
};
