// The connection breaks, by the switch and by the network: no event is lost or repeated.
import assert from 'node:assert/strict';
import { latestTask, textOf, undisturbed } from '../agent.mjs';
import { seriousViolations } from '../axe.mjs';
import { Network } from '../network.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'connection-cut',
  async run({ page, url, shot }) {
    const wanted = await undisturbed(url, 'story');
    const network = await Network.start(url);
    try {
      const studio = await Studio.open(page, network.url);
      await studio.say('story');
      await studio.hasBegun(200);
      await studio.connection.click();
      assert.equal(await studio.connection.getAttribute('aria-checked'), 'false');
      await page.waitForTimeout(500);
      const frozen = (await studio.answer.textContent())?.length;
      await page.waitForTimeout(500);
      assert.equal((await studio.answer.textContent())?.length, frozen, 'no text arrives');
      await shot('switched-off');
      assert.deepEqual(await seriousViolations(page), [], 'axe, connection off');
      await studio.connection.click();
      await studio.ended();
      await studio.shows(wanted);

      await studio.say('story');
      await studio.hasBegun(200);
      network.cut();
      await page.waitForTimeout(1_500);
      await shot('network-cut');
      network.restore();
      await studio.ended(60_000);
      assert.equal(textOf(await latestTask(url)), wanted);
      await studio.shows(wanted);
      await shot('restored');
    } finally {
      await network.close();
    }
  },
};
