// Uses Studio as a user does: finds elements by role and name, never by structure.
import assert from 'node:assert/strict';
import { until } from './until.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

const AGENT = 'Parley demo';

export class Studio {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.composer = page.getByRole('textbox', { name: 'Message', exact: true });
    this.sendButton = page.getByRole('button', { name: 'Send', exact: true });
    this.stopButton = page.getByRole('button', { name: 'Stop', exact: true });
    this.said = page.getByRole('article', { name: 'You', exact: true });
    this.answers = page.getByRole('article', { name: AGENT, exact: true });
    this.events = page.getByRole('region', { name: 'Events' });
    this.question = page.getByRole('region', { name: 'The agent asks' });
    this.artifacts = page.getByRole('region', { name: 'Artifacts' });
    this.threads = page.getByRole('navigation', { name: 'Conversations' });
    this.connection = page.getByRole('switch', { name: 'Connection' });
    this.theme = page.getByRole('button', { name: /^Theme: / });
    this.about = page.getByRole('button', { name: 'About this agent' });
  }

  /** The newest answer. */
  get answer() {
    return this.answers.last();
  }

  /**
   * Opens the page and waits until the user can write.
   * @param {Page} page
   * @param {string} url
   */
  static async open(page, url) {
    const studio = new Studio(page);
    await page.goto(url);
    await studio.composer.waitFor();
    return studio;
  }

  /**
   * Writes and sends a message; resolves when the page shows it.
   * @param {string} text
   */
  async say(text) {
    const before = await this.said.count();
    await this.composer.fill(text);
    await this.sendButton.click();
    await until(`"${text}" is shown as a message`, async () => (await this.said.count()) > before);
  }

  /**
   * Writes and sends a message; resolves when the answer has ended.
   * @param {string} text
   */
  async ask(text) {
    const before = await this.answers.count();
    await this.say(text);
    await until(`an answer to "${text}"`, async () => (await this.answers.count()) > before);
    await this.ended();
  }

  /** Resolves when no answer is running. @param {number} [withinMs] */
  async ended(withinMs = 30_000) {
    await this.answer.waitFor();
    await this.stopButton.waitFor({ state: 'hidden', timeout: withinMs });
  }

  /**
   * Resolves when the newest answer has at least this many characters.
   * @param {number} length
   */
  async hasBegun(length = 100) {
    await until(`an answer of ${length} characters`, async () => (await this.#text()).length >= length);
  }

  /**
   * Checks that the newest answer contains the text exactly once, ignoring white space.
   * @param {string} text
   * @param {{ withinMs?: number }} [options]
   */
  async shows(text, { withinMs = 15_000 } = {}) {
    const wanted = squeeze(text);
    await until('the answer shows the whole text', async () => squeeze(await this.#text()).includes(wanted), withinMs).catch(
      async (error) => {
        assert.equal(squeeze(await this.#text()), wanted, error.message);
      },
    );
    const found = squeeze(await this.#text());
    assert.equal(found.indexOf(wanted), found.lastIndexOf(wanted), 'the text is shown once');
  }

  /** The text of the answer in the DOM, visible or not. */
  async #text() {
    return (await this.answers.count()) === 0 ? '' : ((await this.answer.textContent()) ?? '');
  }

  /**
   * Downloads a file and returns its name and path.
   * @param {string} name
   */
  async download(name) {
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.artifacts.getByRole('button', { name: `Download ${name}`, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), path: await download.path() };
  }
}

/** Removes white space, which differs between paragraphs and lists. @param {string} text */
function squeeze(text) {
  return text.replace(/\s+/g, '');
}
