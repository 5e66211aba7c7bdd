// @vitest-environment happy-dom
/** The list of tasks, against a real agent: pages, filters, errors, and leaving in the middle. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { createClient } from '../../src/client/create-client.js';
import { type LiveTaskList, type TaskFilter, useAgentCard, useTaskList } from '../../src/react/index.js';
import { createAgent } from '../../src/server/index.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { openPage } from './page.js';

describe('useTaskList', () => {
  test('fetches page after page, each task once, until there are no more', async () => {
    const { client, fetch } = await agentWithTasks(5);
    const { page, seen, now } = await show(client, { pageSize: 2 });
    expect(seen[0]).toMatchObject({ tasks: [], isLoading: true, error: undefined, hasMore: true });
    await page.until(() => !now().isLoading);
    expect(now()).toMatchObject({ isLoading: false, hasMore: true });
    expect(now().tasks).toHaveLength(2);
    await page.act(() => Promise.all([now().loadMore(), now().loadMore()]));
    expect(now().tasks).toHaveLength(4);
    await page.act(() => now().loadMore());
    expect(now()).toMatchObject({ isLoading: false, hasMore: false });
    const before = listed(fetch);
    await page.act(() => now().loadMore());
    expect(listed(fetch)).toBe(before);
    const all: string[] = [];
    for await (const { id } of client.tasks()) all.push(id);
    expect(now().tasks.map(({ id }) => id)).toEqual(all);
    await page.leave();
  });

  test('a filter counts by its value: the same one written anew fetches nothing, another one begins anew', async () => {
    const { client, fetch } = await agentWithTasks(3);
    const { page, now, render } = await show(client, { pageSize: 2, status: 'TASK_STATE_COMPLETED' });
    await page.until(() => !now().isLoading);
    const { loadMore } = now();
    await render({ status: 'TASK_STATE_COMPLETED', pageSize: 2 });
    expect([listed(fetch), now().tasks.length]).toEqual([1, 2]);
    expect(now().loadMore).toBe(loadMore);
    await render({ status: 'TASK_STATE_FAILED', pageSize: 2 });
    await page.until(() => !now().isLoading);
    expect([listed(fetch), now().tasks.length, now().hasMore]).toEqual([2, 0, false]);
    await page.leave();
  });

  test('refresh shows what is new, and keeps what is there until then', async () => {
    const { client } = await agentWithTasks(1);
    const { page, now, seen } = await show(client);
    await page.until(() => !now().isLoading);
    await client.send('one more');
    const rendersBefore = seen.length;
    await page.act(() => now().refresh());
    expect(seen.slice(rendersBefore).map(({ tasks, isLoading }) => [tasks.length, isLoading])).toEqual([
      [1, true],
      [2, false],
    ]);
    await page.leave();
  });

  test('a page that can not be had is an error that is shown, and the next try fetches that page', async () => {
    const { client, fetch } = await agentWithTasks(3);
    let isDown = false;
    const failing = createClient('http://test', {
      retry: false,
      fetch: (...args) => (isDown ? Promise.reject(new TypeError('fetch failed')) : fetch(...args)),
    });
    const { page, now } = await show(failing, { pageSize: 2 });
    await page.until(() => !now().isLoading);
    isDown = true;
    await page.act(() => now().loadMore());
    expect(now()).toMatchObject({ isLoading: false, hasMore: true, error: { name: 'A2ATransportError' } });
    expect(now().tasks).toHaveLength(2);
    isDown = false;
    await page.act(() => now().loadMore());
    expect(now()).toMatchObject({ isLoading: false, hasMore: false, error: undefined });
    expect(now().tasks).toHaveLength(3);
    await page.leave();
    await client.close();
  });

  test('leaving the page aborts what is on its way, and nothing comes of it any more', async () => {
    const { client, signals } = hangingClient();
    const { page, seen } = await show(client);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    const renders = seen.length;
    await page.leave();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(seen).toHaveLength(renders);
  });

  test('a page that comes after a newer one was asked for is dropped', async () => {
    const answers: ((id: string) => void)[] = [];
    const client: Client = {
      ...createClient('http://test'),
      // It does not care for its signal, as others may not.
      listTasks: () =>
        new Promise((resolve) => {
          answers.push((id) =>
            resolve({ tasks: [{ id, status: { state: 'TASK_STATE_WORKING' } }], nextPageToken: '', pageSize: 1, totalSize: 1 }),
          );
        }),
    };
    const { page, now } = await show(client);
    await page.act(() => void now().refresh());
    await page.act(() => answers[1]?.('new'));
    await page.act(() => answers[0]?.('old'));
    expect(now().tasks.map(({ id }) => id)).toEqual(['new']);
    await page.leave();
  });

  test('StrictMode asks once', async () => {
    const { client, signals } = hangingClient();
    const { page } = await show(client, {}, true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await page.leave();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('an agent that gives the same page for ever is left after its first repetition', async () => {
    const { client } = await agentWithTasks(1);
    const circling: Client = { ...client, listTasks: async () => ({ tasks: [], nextPageToken: 'again', pageSize: 1, totalSize: 1 }) };
    const { page, now } = await show(circling);
    await page.until(() => !now().isLoading);
    expect(now().hasMore).toBe(true);
    await page.act(() => now().loadMore());
    expect(now().hasMore).toBe(false);
    await page.leave();
  });

  test('a server asks nobody', async () => {
    const { client, signals } = hangingClient();
    const List = () => String(useTaskList(client).isLoading);
    expect(renderToString(createElement(List))).toBe('true');
    expect(signals).toEqual([]);
  });
});

describe('useAgentCard with a client', () => {
  test('U40: gives the card when it has come, and renders once for it', async () => {
    const { client } = await agentWithTasks(0);
    let renders = 0;
    const Card = () => {
      renders += 1;
      return useAgentCard(client)?.name ?? 'none';
    };
    const page = await openPage(createElement(Card));
    await page.until(() => page.text !== 'none');
    expect([page.text, renders]).toEqual(['Lister', 2]);
    await page.leave();
  });

  test('a card that can not be had is one that is not shown', async () => {
    const client = createClient('http://test', { retry: false, fetch: () => Promise.reject(new TypeError('fetch failed')) });
    const Card = () => useAgentCard(client)?.name ?? 'none';
    const page = await openPage(createElement(Card), { strict: true });
    await page.act(() => client.card().catch(() => undefined));
    expect(page.text).toBe('none');
    await page.leave();
  });
});

async function agentWithTasks(count: number) {
  const fetch = createTestFetch(createAgent({ name: 'Lister', execute: ({ text }) => text }));
  const client = createClient('http://test', { fetch, contexts: false });
  for (let i = 0; i < count; i += 1) await client.send(`task ${i}`);
  return { client, fetch };
}

function listed(fetch: ReturnType<typeof createTestFetch>): number {
  return fetch.requests.filter(({ operation }) => operation === 'ListTasks').length;
}

/** A client that is never answered. */
function hangingClient() {
  const signals: AbortSignal[] = [];
  const client: Client = {
    ...createClient('http://test', { fetch: () => new Promise(() => undefined) }),
    listTasks: (_, { signal } = {}) => {
      if (signal !== undefined) signals.push(signal);
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  return { client, signals };
}

async function show(client: Client, first: TaskFilter = {}, strict = false) {
  const seen: LiveTaskList[] = [];
  const List = ({ filter }: { filter: TaskFilter }) => {
    seen.push(useTaskList(client, filter));
    return null;
  };
  const page = await openPage(createElement(List, { filter: first }), { strict });
  return {
    page,
    seen,
    render: (filter: TaskFilter) => page.render(createElement(List, { filter })),
    now: () => {
      const last = seen.at(-1);
      if (last === undefined) throw new Error('Nothing was rendered');
      return last;
    },
  };
}
