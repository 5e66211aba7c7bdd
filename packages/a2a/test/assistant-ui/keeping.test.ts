// @vitest-environment happy-dom
import type { ExportedMessageRepositoryItem, ThreadMessage } from '@assistant-ui/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type UseA2ARuntimeOptions, useA2ARuntime } from '../../src/assistant-ui/index.js';
import { AGENT_URL, COMPLETED, chunk, serveScript, status, task, WORKING } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

afterEach(unmountAll);

const ANSWER = [task(WORKING), chunk('Hello.'), status(COMPLETED)];
const ASKED = [task(WORKING), status('TASK_STATE_INPUT_REQUIRED', 'Where?')];

type Adapters = NonNullable<UseA2ARuntimeOptions['adapters']>;
type History = NonNullable<Adapters['history']>;

/** Like an application that stores the history as JSON. */
function storedHistory(loaded: unknown = { messages: [] }) {
  const items: ExportedMessageRepositoryItem[] = [];
  const history: History = {
    load: async () => JSON.parse(JSON.stringify(loaded)),
    append: async (item) => void items.push(item),
  };
  return { history, items };
}

function open(adapters: Adapters, more: UseA2ARuntimeOptions = {}) {
  return mount(useA2ARuntime, { baseUrl: AGENT_URL, ...more, adapters });
}

function kept(items: readonly ExportedMessageRepositoryItem[]) {
  return items.map(({ parentId, message }) => [parentId, message.role, textOf(message), message.status?.type]);
}

function messageOf(id: string, role: 'user' | 'assistant', text: string): object {
  return { id, role, content: [{ type: 'text', text }], createdAt: '2026-01-01T00:00:00.000Z', metadata: { custom: {} } };
}

describe('the history', () => {
  test('U36: messages and answers are added, each with its parent', async () => {
    serveScript({ SendStreamingMessage: [{ events: ANSWER }, { events: [task(WORKING), status('TASK_STATE_FAILED', 'No.')] }] });
    const { history, items } = storedHistory();
    const page = await open({ history });
    await page.sayAndWait('One');
    await page.sayAndWait('Two');
    await until(() => items.length === 4);
    const [one, answer, two] = page.messages.map(({ id }) => id);
    expect(kept(items)).toEqual([
      [null, 'user', 'One', undefined],
      [one, 'assistant', 'Hello.', 'complete'],
      [answer, 'user', 'Two', undefined],
      [two, 'assistant', 'No.', 'incomplete'],
    ]);
  });

  test('U36: a message that could not be added is added again with the next one', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const items: ExportedMessageRepositoryItem[] = [];
    let isFull = true;
    const append = vi.fn(async (item: ExportedMessageRepositoryItem) => {
      if (isFull) throw new Error('the disk is full');
      items.push(item);
    });
    const page = await open({ history: { load: async () => ({ messages: [] }), append } });
    await page.sayAndWait('One');
    await until(() => append.mock.calls.length >= 1);
    isFull = false;
    await page.sayAndWait('Two');
    await until(() => items.length === 4);
    expect(kept(items).map(([, , text]) => text)).toEqual(['One', 'Hello.', 'Two', 'Hello.']);
  });

  test('U36: a stored question can be answered on the next page', async () => {
    const agent = serveScript({ SendStreamingMessage: [{ events: ASKED }, { events: ANSWER }] });
    const first = storedHistory();
    const page = await open({ history: first.history });
    await page.sayAndWait('Weather?');
    await until(() => first.items.length === 2);
    page.unmount();
    const second = storedHistory({ messages: first.items });
    const next = await open({ history: second.history });
    await until(() => next.messages.length === 2);
    expect(next.messages[1]?.status).toEqual({ type: 'requires-action', reason: 'interrupt' });
    await next.sayAndWait('Rome');
    expect(agent.sent[1]).toMatchObject({ taskId: 't-1', parts: [{ text: 'Rome' }] });
    expect(next.lastText).toBe('Hello.');
  });

  test('U36: an answered question is updated when the history supports update(), and is never added twice', async () => {
    for (const canUpdate of [true, false]) {
      serveScript({ SendStreamingMessage: [{ events: ASKED }, { events: ANSWER }] });
      const { history, items } = storedHistory();
      const update = vi.fn(async (_item: ExportedMessageRepositoryItem) => {});
      const page = await open({ history: canUpdate ? { ...history, update } : history });
      await page.sayAndWait('Weather?');
      await page.sayAndWait('Rome');
      await until(() => items.length === 4);
      expect(new Set(items.map(({ message }) => message.id)).size).toBe(4);
      expect(update.mock.calls.map(([item]) => kept([item])[0]?.slice(2))).toEqual(canUpdate ? [['Where?', 'complete']] : []);
      page.unmount();
    }
  });

  test('U36: another client continues with the same history: nothing is loaded or added again', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const { history, items } = storedHistory();
    const load = vi.spyOn(history, 'load');
    const page = await open({ history });
    await page.sayAndWait('One');
    await until(() => items.length === 2);
    await page.rerender({ baseUrl: AGENT_URL, tenant: 'other', adapters: { history } });
    await page.sayAndWait('Two');
    await until(() => items.length === 4);
    expect(kept(items).map(([, , text]) => text)).toEqual(['One', 'Hello.', 'Two', 'Hello.']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('U14: StrictMode does not load the history twice', async () => {
    serveScript({});
    const { history } = storedHistory({ messages: [item(null, 'a')] });
    const load = vi.spyOn(history, 'load');
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL, adapters: { history } }, { strict: true });
    await until(() => page.messages.length === 1);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test.each<[string, unknown, readonly string[]]>([
    ['duplicate ids', { messages: [item(null, 'a'), item('a', 'b'), item('b', 'a')] }, ['a', 'b']],
    ['circles', { messages: [item('b', 'a'), item('a', 'b')] }, ['a', 'b']],
    ['missing parents', { messages: [item(null, 'a'), item('ghost', 'b')] }, ['a', 'b']],
    ['a missing head', { headId: 'ghost', messages: [item(null, 'a'), item('a', 'b')] }, ['a', 'b']],
    ['nothing', undefined, []],
    ['invalid messages', { messages: 'none' }, []],
    ['holes', { messages: [null, item(null, 'a'), {}, { parentId: 'a', message: 7 }, item('a', 'b')] }, ['a', 'b']],
    ['system messages', { messages: [system(null, 's'), item('s', 'a'), item('a', 'b')] }, ['a', 'b']],
  ])('U36: a history with %s is shown as a linear list', async (_name, loaded, ids) => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const load = vi.fn(async () => loaded as Awaited<ReturnType<History['load']>>);
    const page = await open({ history: { load, append: async () => {} } });
    await until(() => load.mock.calls.length === 1);
    await until(() => page.messages.length === ids.length && !page.runtime.thread.getState().isLoading);
    expect(page.messages.map(({ id }) => id)).toEqual(ids);
    await page.sayAndWait('Still there?');
    expect(page.lastText).toBe('Hello.');
  });

  test('U36: a history whose head is a system message at the root keeps its branches, and the next message is one more branch', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const messages = [system(null, 's'), item('s', 'a'), item('a', 'b'), item('s', 'c')];
    const { history } = storedHistory({ headId: 's', messages });
    const page = await open({ history });
    await until(() => !page.runtime.thread.getState().isLoading);
    expect(page.messages).toEqual([]);
    await page.sayAndWait('Another start');
    expect(page.messages.map(textOf)).toEqual(['Another start', 'Hello.']);
    expect(page.runtime.thread.getMessageByIndex(0).getState()).toMatchObject({ branchNumber: 3, branchCount: 3 });
  });

  test('U36: content without an A2A part type is shown as it was stored', async () => {
    serveScript({});
    const content = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ];
    const message = { ...messageOf('a', 'assistant', ''), content, status: { type: 'complete', reason: 'stop' } };
    const { history } = storedHistory({ messages: [{ parentId: null, message }] });
    const page = await open({ history });
    await until(() => page.messages.length === 1);
    expect(page.messages[0]?.content).toEqual(content);
  });
});

function item(parentId: string | null, id: string) {
  return { parentId, message: messageOf(id, 'user', id) };
}

function system(parentId: string | null, id: string) {
  return { parentId, message: { ...messageOf(id, 'user', id), role: 'system' } };
}

describe('threads', () => {
  const OTHER = [messageOf('x', 'user', 'Old'), messageOf('y', 'assistant', 'Older')] as unknown as readonly ThreadMessage[];

  test('U37: another thread shows its messages, in its own context', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const onSwitchToThread = vi.fn(async () => ({ messages: OTHER }));
    const page = await open({ threadList: { threadId: 'one', onSwitchToThread } });
    await page.sayAndWait('Hi');
    await page.runtime.threads.switchToThread('two');
    await until(() => page.messages[0]?.id === 'x');
    expect(onSwitchToThread).toHaveBeenCalledWith('two');
    expect(page.messages.map(textOf)).toEqual(['Old', 'Older']);
    await page.sayAndWait('More');
    expect(agent.sent[1]).not.toHaveProperty('contextId');
  });

  test('U37: an answer in progress is neither shown nor stored in the new thread, and its task continues', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: [task(WORKING), chunk('Half')], finish: 'stall' } });
    const { history, items } = storedHistory();
    const page = await open({ history, threadList: { threadId: 'one', onSwitchToThread: async () => ({ messages: OTHER }) } });
    await page.say('Hi');
    await until(() => page.lastText === 'Half' && items.length === 1);
    await page.runtime.threads.switchToThread('two');
    await until(() => page.messages[0]?.id === 'x');
    await until(() => !page.isRunning);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(page.messages.map(textOf)).toEqual(['Old', 'Older']);
    expect(kept(items)).toEqual([[null, 'user', 'Hi', undefined]]);
    expect(agent.of('CancelTask')).toHaveLength(0);
  });

  test('U37: a switch that fails changes nothing', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open({ threadList: { threadId: 'one', onSwitchToThread: () => Promise.reject(new Error('offline')) } });
    await page.sayAndWait('Hi');
    await expect(page.runtime.threads.switchToThread('two')).rejects.toThrow('offline');
    expect(page.messages.map(textOf)).toEqual(['Hi', 'Hello.']);
  });

  test('U37: a new thread is empty', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const onSwitchToNewThread = vi.fn();
    const page = await open({ threadList: { threadId: 'one', onSwitchToNewThread } });
    await page.sayAndWait('Hi');
    await page.runtime.threads.switchToNewThread();
    await until(() => page.messages.length === 0);
    expect(onSwitchToNewThread).toHaveBeenCalledTimes(1);
  });

  test('U37: without a switch handler, switching rejects', async () => {
    serveScript({});
    const page = await open({ threadList: {} });
    await expect(page.runtime.threads.switchToNewThread()).rejects.toThrow();
  });
});
