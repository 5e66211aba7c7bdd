// An agent that is down, slow, invalid, or without skills: the page shows a matching message for each.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

const CARD = '**/.well-known/agent-card.json';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'agent-down',
  async run({ page, url, shot }) {
    const studio = new Studio(page);
    const down = page.getByRole('heading', { name: 'Cannot reach the agent' });
    await page.route(CARD, (route) => route.abort('connectionrefused'));
    await page.goto(url);
    await down.waitFor();
    await shot('down');
    assert.deepEqual(await seriousViolations(page), [], 'axe, down');

    await page.unroute(CARD);
    await page.route(CARD, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await page.reload();
    await page.getByRole('status').first().waitFor();
    await shot('slow');
    assert.deepEqual(await seriousViolations(page), [], 'axe, slow');
    await page.getByRole('list', { name: 'Skills' }).waitFor();

    await page.unroute(CARD);
    await page.route(CARD, (route) => route.fulfill({ contentType: 'application/json', body: '{"name": "<b>half a card' }));
    await page.reload();
    await down.waitFor();
    await shot('wrong');

    await page.unroute(CARD);
    await page.route(CARD, async (route) => {
      const card = await (await route.fetch()).json();
      await route.fulfill({ json: { ...card, name: 'A card <i>without</i> skills', skills: [] } });
    });
    await page.reload();
    await page.getByText('lists no skills').waitFor();
    await shot('no-skills');
    assert.deepEqual(await seriousViolations(page), [], 'axe, no skills');
    await studio.composer.fill('Anything');
    await studio.sendButton.click();
    await page.getByText('“Anything”').first().waitFor();
  },
};
