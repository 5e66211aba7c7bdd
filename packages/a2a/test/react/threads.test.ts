// @vitest-environment happy-dom
/** Threads on a page: the list, the shown thread, and answers in background threads. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { createThreads } from '../../src/client/conversation/create-threads.js';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import type { Threads } from '../../src/client/conversation/threads.js';
import { createClient } from '../../src/client/create-client.js';
import { ConversationProvider, type LiveThreads, useMessages, useThreads } from '../../src/react/index.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { serveAgent, textOf } from './chat.js';
import { openPage } from './page.js';

const say = (text: string): ScriptStep => ({ do: 'append', artifactId: 'answer', text });

describe('useThreads', () => {
  test('shows the list and the selected thread, and the answer of another thread continues in the background', async () => {
    const executor = scriptedExecutor([say('One'), { do: 'gate', name: 'slow' }, say(' done'), { do: 'complete' }], {
      turns: [[say('Two'), { do: 'complete' }]],
    });
    const { page, live, leave, streams } = await open(executor);
    expect(live().threads).toHaveLength(1);
    const first = live().activeId;
    await page.act(() => void live().active.send('first thing'));
    await page.until(() => page.text.endsWith('first thing/One'));
    await page.act(() => live().create());
    expect(page.text.endsWith('| ')).toBe(true);
    await page.act(() => void live().active.send('second thing'));
    await page.until(() => page.text.endsWith('| second thing/Two'));
    expect(live().threads.map(({ title }) => title)).toEqual(['second thing', 'first thing']);

    await page.act(() => executor.open('slow'));
    await page.act(() => live().switchTo(first));
    await page.until(() => page.text.endsWith('| first thing/One done'));
    await page.act(() => live().rename(first, 'Mine'));
    await page.until(() => page.text.startsWith('Mine') || page.text.includes(',Mine'));
    await page.act(() => live().remove(first));
    await page.until(() => page.text.endsWith('| second thing/Two'));
    await leave();
    expect(streams.openStreams).toBe(0);
  });

  test('the functions are stable, and the list does not render while an answer only grows', async () => {
    const executor = scriptedExecutor([
      say('One'),
      { do: 'gate', name: 'more' },
      say('Two'),
      { do: 'gate', name: 'end' },
      { do: 'complete' },
    ]);
    const { page, live, lives, leave } = await open(executor);
    const { create, switchTo, rename, remove } = live();
    await page.act(() => void live().active.send('hi'));
    await page.until(() => page.text.endsWith('hi/One'));
    const renders = lives.length;
    await page.act(() => executor.open('more'));
    await page.until(() => page.text.endsWith('hi/OneTwo'));
    expect(lives).toHaveLength(renders);
    expect(live()).toMatchObject({ create, switchTo, rename, remove });
    await leave();
  });

  test.each([false, true])('a page that is opened again shows the thread that was shown last (StrictMode: %s)', async (strict) => {
    const executor = scriptedExecutor([say('Hello'), { do: 'complete' }]);
    const storage = memoryStorage();
    const before = await open(executor, { storage, strict });
    await before.page.act(() => before.live().active.send('hi'));
    await before.leave();
    const { page, live, leave } = await open(executor, { storage, strict });
    await page.until(() => page.text === 'hi | hi/Hello');
    expect(live().isLoading).toBe(false);
    await leave();
  });

  test('a server renders the threads and reads nothing', () => {
    const threads = createThreads(createClient('http://test'));
    const List = () => useThreads(threads).threads.length;
    expect(renderToString(createElement(List))).toBe('1');
    threads.close();
  });
});

async function open(executor: ReturnType<typeof scriptedExecutor>, { storage = memoryStorage(), strict = false } = {}) {
  const { fetch, streams } = serveAgent(executor);
  const threads: Threads = createThreads(createClient('http://test', { fetch }), { storage, tabs: false });
  const lives: LiveThreads[] = [];
  const Shown = () => useMessages().map(textOf).join('/');
  const Page = () => {
    const live = useThreads(threads);
    lives.push(live);
    const titles = live.threads.map(({ title }) => title).join();
    return createElement(ConversationProvider, { conversation: live.active }, `${titles} | `, createElement(Shown));
  };
  const page = await openPage(createElement(Page), { strict });
  return {
    page,
    lives,
    streams,
    live: () => {
      const last = lives.at(-1);
      if (last === undefined) throw new Error('Nothing was rendered');
      return last;
    },
    leave: async () => {
      await page.leave();
      threads.close();
    },
  };
}
