// The answer to `hostile` contains markup, scripts and beacons. These checks fail if the page interprets any of them.
import assert from 'node:assert/strict';

/**
 * Checks that the page shows the answer only as text: no script ran, no element was created from it, and nothing is wider than the screen.
 * @param {import('playwright-core').Page} page
 */
export async function assertHarmless(page) {
  const text = (await page.textContent('body')) ?? '';
  assert.ok(text.includes('<script>globalThis.hostile'), 'markup is shown as text');
  assert.ok(text.includes('onerror='), 'attributes are shown as text');
  await assertNothingRan(page);
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
  assert.equal(page.context().pages().length, 1, 'no window opened');
}

/** @param {import('playwright-core').Page} page */
export async function assertNothingRan(page) {
  assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'hostile')), undefined, 'no script ran');
}
