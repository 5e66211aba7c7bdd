// @vitest-environment happy-dom
/** The task list hook with a real agent: pages, filters, errors, and unmounting during a request. */
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

  test('a filter is compared by value: an equal filter fetches nothing, another one starts again', async () => {
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

  test('refresh shows new tasks, and keeps the old list until then', async () => {
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

  test('a page that fails to load is shown as an error, and the next loadMore fetches that page', async () => {
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

  test('unmounting aborts the request, and its result is ignored', async () => {
    const { client, signals } = hangingClient();
    const { page, seen } = await show(client);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    const renders = seen.length;
    await page.leave();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(seen).toHaveLength(renders);
  });

  test('a page that arrives after a newer request is ignored', async () => {
    const answers: ((id: string) => void)[] = [];
    const client: Client = {
      ...createClient('http://test'),
      // Ignores its signal, as other clients may.
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

  test('StrictMode sends one request', async () => {
    const { client, signals } = hangingClient();
    const { page } = await show(client, {}, true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await page.leave();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('an agent that returns the same page token forever is asked only once more', async () => {
    const { client } = await agentWithTasks(1);
    const circling: Client = { ...client, listTasks: async () => ({ tasks: [], nextPageToken: 'again', pageSize: 1, totalSize: 1 }) };
    const { page, now } = await show(circling);
    await page.until(() => !now().isLoading);
    expect(now().hasMore).toBe(true);
    await page.act(() => now().loadMore());
    expect(now().hasMore).toBe(false);
    await page.leave();
  });

  test('a server render sends no request', async () => {
    const { client, signals } = hangingClient();
    const List = () => String(useTaskList(client).isLoading);
    expect(renderToString(createElement(List))).toBe('true');
    expect(signals).toEqual([]);
  });
});

describe('useAgentCard with a client', () => {
  test('U40: returns the card when it has arrived, and renders once for it', async () => {
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

  test('a card that cannot be fetched stays undefined', async () => {
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
  const client = createClient('http://test', { fetch });
  for (let i = 0; i < count; i += 1) await client.send(`task ${i}`);
  return { client, fetch };
}

function listed(fetch: ReturnType<typeof createTestFetch>): number {
  return fetch.requests.filter(({ operation }) => operation === 'ListTasks').length;
}

/** A client whose requests never resolve. */
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
