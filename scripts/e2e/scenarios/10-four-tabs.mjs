// Four tabs on one task: the agent serves one stream, and each tab shows the same text, also after the reading tab closes.
import assert from 'node:assert/strict';
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
      await first.ask('The conversation that all tabs show');
      const others = [];
      for (let tab = 2; tab <= 4; tab++) {
        const other = await Studio.open(await context.newPage(), network.url);
        await other.answer.waitFor();
        others.push(other);
      }
      await first.say('story');
      for (const tab of [first, ...others]) await tab.answer.getByText('The lighthouse keeper').waitFor();
      const open = network.openStreams;
      const sent = network.passed.filter(({ isStream }) => isStream).length;
      note(`four tabs, ${open} open stream, ${sent} streams in total`);
      assert.equal(open, 1, 'one stream for all tabs');
      assert.equal(sent, 2, 'one stream for each message');

      await page.close(); // the tab that held the stream
      for (const other of others) await other.ended();
      const wanted = textOf(await latestTask(url));
      for (const other of others) await other.shows(wanted);
      const after = network.passed.filter(({ isStream }) => isStream).length;
      note(`streams after the reading tab closed: ${after}`);
      assert.ok(after <= 3, 'only one other tab took over');
      await shot('second', others[0]?.page);
      await shot('last', others[2]?.page);
    } finally {
      await network.close();
    }
  },
};
