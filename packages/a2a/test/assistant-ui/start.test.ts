// @vitest-environment happy-dom
import type { AttachmentAdapter, FeedbackAdapter, SpeechSynthesisAdapter } from '@assistant-ui/react';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { A2AClient, type UseA2ARuntimeOptions, useA2AAgentCard, useA2ARuntime } from '../../src/assistant-ui/index.js';
import { AGENT_URL, COMPLETED, chunk, observe, said, serveScript, status, task, WORKING } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

afterEach(unmountAll);

const ANSWER = [task(WORKING), chunk('Hello.'), status(COMPLETED)];

/** A stored history with one user message and its answer. */
const KEPT = {
  messages: [
    {
      parentId: null,
      message: { id: 'u-1', role: 'user', content: [{ type: 'text', text: 'Before' }], createdAt: '2026-01-01T00:00:00Z' },
    },
    {
      parentId: 'u-1',
      message: { id: 'a-1', role: 'assistant', content: [{ type: 'text', text: 'Yes' }], status: { type: 'complete', reason: 'stop' } },
    },
  ],
};

type History = NonNullable<NonNullable<UseA2ARuntimeOptions['adapters']>['history']>;

function historyOf(load: () => Promise<unknown>): History {
  // A history adapter may return dates as strings, as JSON storages do.
  return { load: load as History['load'], append: async () => {} };
}

function open(options: UseA2ARuntimeOptions = {}) {
  return mount(useA2ARuntime, { baseUrl: AGENT_URL, ...options });
}

describe('start', () => {
  test('U14: an agent without a card is used with streaming, and no error is reported', async () => {
    const agent = serveScript({ GetAgentCard: 500, SendStreamingMessage: { events: ANSWER } });
    const onError = vi.fn();
    const page = await open({ onError });
    await page.sayAndWait('Hi');
    expect(page.lastText).toBe('Hello.');
    expect(agent.of('SendStreamingMessage')).toHaveLength(1);
    expect(onError).not.toHaveBeenCalled();
  });

  test('U14: the history is loaded once and shown, and isLoading is true meanwhile', async () => {
    serveScript({});
    const { promise, resolve: give } = withResolver();
    const load = vi.fn(() => promise);
    const page = await open({ adapters: { history: historyOf(load) } });
    await until(() => page.runtime.thread.getState().isLoading);
    give(KEPT);
    await until(() => page.messages.length === 2);
    await until(() => !page.runtime.thread.getState().isLoading);
    expect(page.messages.map(textOf)).toEqual(['Before', 'Yes']);
    expect(page.messages[0]?.createdAt).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('U14: without a history isLoading is never true', async () => {
    serveScript({});
    const seen: boolean[] = [];
    const page = await open();
    page.runtime.thread.subscribe(() => seen.push(page.runtime.thread.getState().isLoading));
    await page.runtime.thread.getState();
    expect([...seen, page.runtime.thread.getState().isLoading]).not.toContain(true);
  });

  test('U14: a history that fails is reported once, and loading ends', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const onError = vi.fn();
    const page = await open({ onError, adapters: { history: historyOf(() => Promise.reject(new Error('the disk is full'))) } });
    await until(() => onError.mock.calls.length > 0);
    await until(() => !page.runtime.thread.getState().isLoading);
    await page.sayAndWait('Hi');
    expect(onError).toHaveBeenCalledTimes(1);
    expect(page.lastText).toBe('Hello.');
  });

  test('U14: a history that is set later is loaded while the thread is empty', async () => {
    const agent = serveScript({});
    const page = await open();
    await until(() => agent.of('GetAgentCard').length === 1);
    const load = vi.fn(async () => KEPT);
    await page.rerender({ baseUrl: AGENT_URL, adapters: { history: historyOf(load) } });
    await until(() => page.messages.length === 2);
    await page.rerender({ baseUrl: AGENT_URL, adapters: { history: historyOf(load) } });
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('U14: a history that is set after the first message is not loaded', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open();
    await page.sayAndWait('Hi');
    const load = vi.fn(async () => KEPT);
    await page.rerender({ baseUrl: AGENT_URL, adapters: { history: historyOf(load) } });
    expect(load).not.toHaveBeenCalled();
    expect(page.messages.map(textOf)).toEqual(['Hi', 'Hello.']);
  });

  test.each([
    ['true', 'SendStreamingMessage', { streaming: true }],
    ['false', 'SendMessage', { streaming: false }],
    ['absent', 'SendStreamingMessage', {}],
  ] as const)('U15: streaming %s in the card selects the operation %s', async (_name, operation, capabilities) => {
    const done = task(COMPLETED, { artifacts: [{ artifactId: 'a', parts: [{ text: 'Hello.' }] }] });
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER }, SendMessage: { value: done } }, { card: { capabilities } });
    const page = await open();
    await page.sayAndWait('Hi');
    expect(agent.of('SendStreamingMessage', 'SendMessage').map((request) => request.operation)).toEqual([operation]);
    expect(page.lastText).toBe('Hello.');
  });

  test('U25: the context starts with the option, follows the agent, and starts again with another option', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open({ contextId: 'mine' });
    await page.sayAndWait('One');
    await page.rerender({ baseUrl: AGENT_URL, contextId: 'mine' });
    await page.sayAndWait('Two');
    await page.rerender({ baseUrl: AGENT_URL, contextId: 'other' });
    await page.sayAndWait('Three');
    expect(agent.sent.map(({ contextId }) => contextId)).toEqual(['mine', 'c-1', 'other']);
    expect(page.messages).toHaveLength(6);
  });

  test('U25: a new thread starts with the option again', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open({ contextId: 'mine', adapters: { threadList: { onSwitchToNewThread: () => {} } } });
    await page.sayAndWait('One');
    await page.runtime.threads.switchToNewThread();
    await until(() => page.messages.length === 0);
    await page.sayAndWait('Two');
    expect(agent.sent.map(({ contextId }) => contextId)).toEqual(['mine', 'mine']);
  });
});

function withResolver() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((take) => {
    resolve = take;
  });
  return { promise, resolve };
}

describe('the client', () => {
  test('U41: options that are equal by value keep the client', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const options = () => ({
      baseUrl: AGENT_URL,
      tenant: 'acme',
      extensions: ['urn:x'],
      fetchOptions: { credentials: 'include' as const },
    });
    const page = await mount(useA2ARuntime, options());
    await until(() => agent.of('GetAgentCard').length === 1);
    for (let times = 0; times < 5; times += 1) await page.rerender(options());
    await page.sayAndWait('Hi');
    expect(agent.of('GetAgentCard')).toHaveLength(1);
    await page.rerender({ ...options(), tenant: 'other' });
    await until(() => agent.of('GetAgentCard').length === 2);
  });

  test('U41: new headers are used without a new client', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open({ headers: { Authorization: 'Bearer 1' } });
    await page.sayAndWait('One');
    await page.rerender({ baseUrl: AGENT_URL, headers: () => ({ Authorization: 'Bearer 2' }) });
    await page.sayAndWait('Two');
    expect(agent.of('SendStreamingMessage').map(({ headers }) => headers.authorization)).toEqual(['Bearer 1', 'Bearer 2']);
    expect(agent.of('GetAgentCard')).toHaveLength(1);
  });

  test('U41: without a client and a baseUrl the hook throws', async () => {
    await expect(mount(useA2ARuntime, {})).rejects.toThrow('useA2ARuntime needs a client or a baseUrl');
  });

  test('U29: another client continues the thread; the old stream ends, but its task continues', async () => {
    const agent = serveScript({ SendStreamingMessage: [{ events: [task(WORKING), chunk('Half')], finish: 'stall' }, { events: ANSWER }] });
    const page = await mount(useA2ARuntime, { client: new A2AClient({ baseUrl: AGENT_URL }) });
    await page.say('One');
    await until(() => page.lastText === 'Half');
    await page.rerender({ client: new A2AClient({ baseUrl: AGENT_URL }) });
    await until(() => !page.isRunning);
    expect(page.messages.map(textOf)).toEqual(['One', 'Half']);
    expect(agent.of('CancelTask')).toHaveLength(0);
    await page.sayAndWait('Two');
    expect(page.lastText).toBe('Hello.');
    expect(agent.sent[1]?.contextId).toBe('c-1');
  });

  test('U43: the configuration of the last render is sent with each message, also with a reload', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open({ configuration: { acceptedOutputModes: ['text/plain'], historyLength: 3 } });
    await page.sayAndWait('One');
    await page.rerender({ baseUrl: AGENT_URL, configuration: { acceptedOutputModes: ['text/markdown'] } });
    page.runtime.thread.getMessageById(page.messages[1]?.id ?? '').reload();
    await until(() => agent.sent.length === 2);
    const sent = agent.of('SendStreamingMessage').map(({ params }) => (params as { configuration?: object }).configuration);
    expect(sent).toEqual([
      expect.objectContaining({ acceptedOutputModes: ['text/plain'], historyLength: 3 }),
      expect.objectContaining({ acceptedOutputModes: ['text/markdown'] }),
    ]);
  });

  test('U43: a message can override the configuration', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open({ configuration: { acceptedOutputModes: ['text/plain'] } });
    const a2a = { configuration: { acceptedOutputModes: ['image/png'] } };
    page.runtime.thread.append({ content: [{ type: 'text', text: 'Hi' }], runConfig: { custom: { a2a } } });
    await until(() => agent.sent.length === 1);
    expect(agent.of('SendStreamingMessage')[0]?.params).toMatchObject({ configuration: { acceptedOutputModes: ['image/png'] } });
  });
});

describe('adapters and thread options', () => {
  test('U39: attachments, speech, dictation, voice and feedback reach assistant-ui', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const attachments: AttachmentAdapter = {
      accept: '*',
      add: async ({ file }) => ({
        id: 'f-1',
        type: 'file',
        name: file.name,
        file,
        contentType: 'text/plain',
        status: { type: 'requires-action', reason: 'composer-send' },
      }),
      send: async (attachment) => ({ ...attachment, status: { type: 'complete' }, content: [{ type: 'text', text: 'inside' }] }),
      remove: async () => {},
    };
    const speech: SpeechSynthesisAdapter = { speak: () => ({ status: { type: 'running' }, cancel: () => {}, subscribe: () => () => {} }) };
    const submitted: Parameters<FeedbackAdapter['submit']>[0][] = [];
    const feedback: FeedbackAdapter = { submit: (given) => void submitted.push(given) };
    const page = await open({ adapters: { attachments, speech, feedback, dictation: {} as never, voice: {} as never } });
    expect(page.runtime.thread.getState().capabilities).toMatchObject({
      attachments: true,
      speech: true,
      dictation: true,
      voice: true,
      feedback: true,
    });
    await page.sayAndWait('Hi');
    page.runtime.thread.getMessageById(page.messages[1]?.id ?? '').submitFeedback({ type: 'positive' });
    expect(submitted).toHaveLength(1);
    await page.sayAndWait('More');
    // The feedback is still there after the thread has changed.
    expect(page.messages[1]?.metadata.submittedFeedback).toEqual({ type: 'positive' });
  });

  test('U39: an attachment is sent as a part, and shown as an attachment', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open();
    page.runtime.thread.append({
      content: [{ type: 'text', text: 'Look' }],
      attachments: [
        {
          id: 'f-1',
          type: 'image',
          name: 'cat.png',
          contentType: 'image/png',
          status: { type: 'complete' },
          content: [{ type: 'image', image: 'data:image/png;base64,AAAA', filename: 'cat.png' }],
        },
      ],
    });
    await until(() => page.messages.length === 2 && !page.isRunning);
    expect(agent.sent[0]?.parts).toEqual([{ text: 'Look' }, { raw: 'AAAA', mediaType: 'image/png', filename: 'cat.png' }]);
    expect(page.messages[0]).toMatchObject({ content: [{ type: 'text', text: 'Look' }], attachments: [{ id: 'f-1', name: 'cat.png' }] });
  });

  test('U42: isDisabled, isSendDisabled, suggestions and capabilities reach the thread, and can change', async () => {
    expectTypeOf<UseA2ARuntimeOptions>().toExtend<{
      isDisabled?: boolean | undefined;
      isSendDisabled?: boolean | undefined;
      unstable_capabilities?: { copy?: boolean | undefined } | undefined;
    }>();
    serveScript({});
    const suggestions = [{ prompt: 'Hello?' }];
    const page = await open({ isDisabled: true, isSendDisabled: true, suggestions, unstable_capabilities: { copy: false } });
    const state = page.runtime.thread.getState();
    expect(state).toMatchObject({ isDisabled: true, suggestions, capabilities: { unstable_copy: false } });
    page.runtime.thread.composer.setText('Hi');
    expect(page.runtime.thread.composer.getState().canSend).toBe(false);
    await page.rerender({ baseUrl: AGENT_URL });
    await until(() => !page.runtime.thread.getState().isDisabled);
    expect(page.runtime.thread.composer.getState().canSend).toBe(true);
  });

  test('useA2AAgentCard returns the card of the agent, and never a default card', async () => {
    serveScript({}, { card: { name: 'Weather' } });
    const card = observe(useA2AAgentCard);
    await mount(useA2ARuntime, { baseUrl: AGENT_URL }, { children: card.element });
    await until(() => card.last?.name === 'Weather');
    serveScript({ GetAgentCard: 404, SendStreamingMessage: { events: [{ message: said('Yes.') }] } });
    const none = observe(useA2AAgentCard);
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL }, { children: none.element });
    await page.sayAndWait('Hi');
    expect(none.last).toBeUndefined();
  });
});
