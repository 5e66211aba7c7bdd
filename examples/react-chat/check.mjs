// Talks to the agent through the page, as a person would: reads what is shown, writes, submits; then reloads the page.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryStorage } from '@parley/a2a/client';
import { Window } from 'happy-dom';
import { createElement } from 'react';
import { startExample } from '../start-example.mjs';
import { Chat } from './chat.mjs';

const window = new Window();
// React looks for the page in the globals of its module.
Object.assign(globalThis, { window, document: window.document, ...('navigator' in globalThis ? {} : { navigator: window.navigator }) });
const { createRoot } = await import('react-dom/client');
const { renderToString } = await import('react-dom/server');

const agent = await startExample(new URL('agent.mjs', import.meta.url));
const storage = memoryStorage();
try {
  assert.match(renderToString(createElement(Chat, { url: agent.url })), /<h1>…<\/h1><ol aria-live="polite"><\/ol>/);
  console.log('react chat: renders on a server');

  const first = openPage();
  await first.shows('h1', 'Greeter');
  await first.write('Hello');
  await first.asks('What is your name?');
  console.log('react chat: shows what the agent asks');

  first.close();
  const second = openPage();
  await second.asks('What is your name?');
  assert.match(second.text('ol'), /^Hello/);
  console.log('react chat: the question is still there after a reload');

  await second.write('Ada');
  await second.shows('li.theirs:last-child', 'Good to see you, Ada, and welcome.');
  await second.shows('button', 'Send');
  second.close();
  console.log('react chat: shows the whole answer');
} finally {
  await agent.stop();
  await window.happyDOM.close();
}

function openPage() {
  const page = window.document.createElement('main');
  window.document.body.append(page);
  // Our types have no page of a browser in them.
  const root = createRoot(/** @type {any} */ (page));
  root.render(createElement(Chat, { url: agent.url, storage }));

  const text = (/** @type {string} */ selector) => page.querySelector(selector)?.textContent ?? '';
  /** @param {() => boolean} isSo @param {string} what */
  const until = async (isSo, what) => {
    for (let ms = 0; !isSo(); ms += 10) {
      assert.ok(ms < 10_000, `${what}; the page is ${page.innerHTML}`);
      await wait(10);
    }
  };
  const line = () => {
    const input = page.querySelector('input');
    assert.ok(input, 'There is no line to write in');
    return input;
  };
  return {
    text,
    /** @param {string} selector @param {string} expected */
    shows: (selector, expected) => until(() => text(selector) === expected, `${selector} never showed ${expected}`),
    /** @param {string} prompt */
    asks: (prompt) => until(() => page.querySelector('input')?.placeholder === prompt, `It never asked ${prompt}`),
    /** @param {string} said */
    async write(said) {
      // React listens for changes that a person makes: those go by the setter of the element, not its own.
      Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, 'value')?.set?.call(line(), said);
      line().dispatchEvent(new window.Event('input', { bubbles: true }));
      await until(() => line().value === said, 'The line stayed empty');
      page.querySelector('form')?.dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
    },
    close() {
      root.unmount();
      page.remove();
    },
  };
}
