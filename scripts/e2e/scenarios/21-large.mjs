// An artifact of fifty megabytes: the page stays responsive and downloads all of it.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describeBusy, heapMb, whileBusy } from '../main-thread.mjs';
import { Studio } from '../studio.mjs';

const MB = 50;

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'large',
  async run({ page, url, shot, note }) {
    const studio = await Studio.open(page, url);
    const busy = await whileBusy(page, async () => {
      await studio.say(`large ${MB}`);
      await studio.ended(120_000);
    });
    note(`${describeBusy(busy)}; ${(await heapMb(page)).toFixed(0)} MB held`);
    await shot();
    const { path } = await studio.download(`large-${MB}.txt`);
    assert.equal((await stat(path)).size, MB * 1_000_000);
    let count = 0;
    for await (const line of createInterface(createReadStream(path))) if (line.startsWith(`line ${count + 1} `)) count += 1;
    assert.equal(count, (MB * 1_000_000) / 50, 'every line is in the file, in order');
    await studio.ask('still there');
    assert.match((await studio.answer.textContent()) ?? '', /still there/);
  },
};
