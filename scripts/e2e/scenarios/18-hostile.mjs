// Markup, scripts, beacons and odd characters are shown as text: nothing runs, nothing is fetched, nothing pushes the page aside.
import assert from 'node:assert/strict';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'hostile',
  quick: true,
  async run({ page, context, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('hostile');
    for (const button of await studio.artifacts.getByRole('button', { name: /^Preview / }).all()) await button.click();
    // The log and its details, from the newest event upwards.
    await studio.events.getByRole('option').last().click();
    await studio.events.getByRole('listbox').focus();
    for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowUp');
    await page.waitForTimeout(500);
    await shot();
    for (const link of await studio.artifacts.getByRole('listitem').filter({ hasText: 'a link' }).getByText('Open').all())
      await link.click();
    const text = (await page.textContent('body')) ?? '';
    assert.ok(text.includes('<script>globalThis.hostile'), 'markup is shown as text');
    assert.ok(text.includes('onerror='), 'attributes too');
    assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'hostile')), undefined, 'nothing ran');
    const built = await page.evaluate(() => ({
      scripts: document.querySelectorAll('body script:not([src])').length,
      frames: document.querySelectorAll('iframe, object, embed, form[action], base, meta[http-equiv]').length,
      links: [...document.querySelectorAll('a')].map(({ href }) => href).filter((href) => !/^(https?|mailto|blob):/.test(href)),
      pictures: [...document.querySelectorAll('img')]
        .map(({ src }) => src)
        .filter((src) => !/^blob:|^data:image\/(png|jpeg|gif|webp)/.test(src)),
      handlers: [...document.querySelectorAll('*')].filter((element) => element.getAttributeNames().some((name) => name.startsWith('on')))
        .length,
      overflow: document.documentElement.scrollWidth - innerWidth,
    }));
    assert.deepEqual(
      { ...built, overflow: built.overflow <= 0 },
      { scripts: 0, frames: 0, links: [], pictures: [], handlers: 0, overflow: true },
    );
    assert.equal(context.pages().length, 1, 'no window opened');
    assert.ok(await studio.composer.isVisible(), 'the page still works');
    await studio.threads.first().waitFor({ state: 'attached' });
    assert.deepEqual(await seriousViolations(page), []);
    await page.reload();
    await studio.answer.waitFor();
    assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'hostile')), undefined, 'nothing ran from what was kept');
  },
};
