// Four tabs on one task: one stream at the agent, the same text in each; also when the tab that reads it is closed.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { latestTask, textOf } from '../agent.mjs';
import { Network } from '../network.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'four-tabs',
  async run({ page, context, url, shot, note }) {
    const network = await Network.start(url);
    try {
      const first = await Studio.open(page, network.url);
      await first.say('story');
      await first.hasBegun(100);
      const others = [];
      for (let tab = 2; tab <= 4; tab++) others.push(await Studio.open(await context.newPage(), network.url));
      for (const other of others) await other.hasBegun(100);
      note(`four tabs, ${network.openStreams} stream`);
      assert.equal(network.openStreams, 1, 'one stream for all tabs');
      const [second, ...rest] = others;
      await page.close(); // the one that read
      await sleep(500);
      for (const other of others) await other.ended();
      const wanted = textOf(await latestTask(url));
      for (const other of others) await other.shows(wanted);
      assert.ok(network.openStreams <= 1, 'and no more when another took over');
      await shot('second', second?.page);
      await shot('last', rest.at(-1)?.page);
    } finally {
      await network.close();
    }
  },
};
