// Uses the page as a user does: reads, writes, submits, then reloads the page.
import { setTimeout as wait } from 'node:timers/promises';
import { memoryStorage } from '@parley/a2a/conversation';
import { Window } from 'happy-dom';
import { createElement } from 'react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startExample } from '../start-example.mjs';
import { Chat } from './chat.mjs';

const window = new Window();
const storage = memoryStorage();
let agent: Awaited<ReturnType<typeof startExample>>;

beforeAll(async () => {
  // React reads `window` and `document` from the globals.
  Object.assign(globalThis, { window, document: window.document, ...('navigator' in globalThis ? {} : { navigator: window.navigator }) });
  agent = await startExample(new URL('agent.mjs', import.meta.url));
}, 30_000);

afterAll(async () => {
  await agent.stop();
  await window.happyDOM.close();
});

test('the chat renders on a server', async () => {
  const { renderToString } = await import('react-dom/server');
  expect(renderToString(createElement(Chat, { url: agent.url }))).toMatch(/<h1>…<\/h1><ol aria-live="polite"><\/ol>/);
});

test('the chat shows the question of the agent, keeps it across a reload, and shows the complete answer', async () => {
  const first = await openPage();
  await first.shows('h1', 'Greeter');
  await first.write('Hello');
  await first.asks('What is your name?');
  first.close();

  const second = await openPage();
  await second.asks('What is your name?');
  expect(second.text('ol')).toMatch(/^Hello/);
  await second.write('Ada');
  await second.shows('li.theirs:last-child', 'Good to see you, Ada, and welcome.');
  await second.shows('button', 'Send');
  second.close();
}, 60_000);

test('pages of another origin may call the agent', async () => {
  const response = await fetch(`${agent.url}/.well-known/agent-card.json`, { headers: { origin: 'http://localhost:5173' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
});

async function openPage() {
  const { createRoot } = await import('react-dom/client');
  const page = window.document.createElement('main');
  window.document.body.append(page);
  // React expects a browser element, and this repository has no DOM types: an element of happy-dom behaves like one.
  const root = createRoot(page as unknown as Parameters<typeof createRoot>[0]);
  root.render(createElement(Chat, { url: agent.url, storage }));

  const text = (selector: string): string => page.querySelector(selector)?.textContent ?? '';
  const until = async (isSo: () => boolean, what: string): Promise<void> => {
    for (let ms = 0; !isSo(); ms += 10) {
      expect(ms, `${what}; the page is ${page.innerHTML}`).toBeLessThan(10_000);
      await wait(10);
    }
  };
  const line = () => {
    const input = page.querySelector('input');
    if (input === null) throw new Error('There is no input field');
    return input;
  };
  return {
    text,
    shows: (selector: string, expected: string) => until(() => text(selector) === expected, `${selector} never showed ${expected}`),
    asks: (prompt: string) =>
      until(() => page.querySelector('input')?.placeholder === prompt, `The page never showed the question ${prompt}`),
    async write(said: string) {
      // React overrides the setter of the element. The setter of the prototype looks like user input to it.
      Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, 'value')?.set?.call(line(), said);
      line().dispatchEvent(new window.Event('input', { bubbles: true }));
      await until(() => line().value === said, 'The input field stayed empty');
      page.querySelector('form')?.dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
    },
    close() {
      root.unmount();
      page.remove();
    },
  };
}
