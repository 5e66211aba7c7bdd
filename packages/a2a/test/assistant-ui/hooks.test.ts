// @vitest-environment happy-dom
import { type AssistantRuntime, useAuiState, useLocalRuntime } from '@assistant-ui/react';
import { createElement, Fragment } from 'react';
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import {
  type A2AAgentCard,
  type A2AArtifact,
  type A2ATask,
  type Conversation,
  useA2AAgentCard,
  useA2AArtifacts,
  useA2ARuntime,
  useA2ATask,
  useConversationRuntime,
} from '../../src/assistant-ui/index.js';
import { createConversation } from '../../src/client/conversation/create-conversation.js';
import { createClient } from '../../src/client/create-client.js';
import { AGENT_URL, COMPLETED, chunk, observe, serveScript, status, task, WORKING } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

afterEach(unmountAll);

const ANSWER = [task(WORKING), chunk('Hello.'), status(COMPLETED)];

function together(...elements: readonly { readonly element: React.ReactNode }[]) {
  return createElement(Fragment, null, ...elements.map(({ element }) => element));
}

describe('the hooks', () => {
  test('U40: each hook renders only when its own value has changed', async () => {
    const words = Array.from({ length: 40 }, (_, index) => status(WORKING, `word ${index} `));
    const events = [task(WORKING), chunk('a'), ...words, status(COMPLETED)];
    serveScript({ SendStreamingMessage: { events, delays: { chunkMs: 1 } } });
    const artifacts = observe(useA2AArtifacts);
    const card = observe(useA2AAgentCard);
    const current = observe(useA2ATask);
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL }, { children: together(artifacts, card, current) });
    await page.sayAndWait('Hi');
    await until(() => current.last?.status.state === 'completed');
    // Empty first, then the artifact of the answer. The forty status texts must not cause renders.
    expect(artifacts.seen.length).toBeLessThanOrEqual(4);
    expect(new Set(artifacts.seen).size).toBeLessThanOrEqual(3);
    expect(card.seen.length).toBeLessThanOrEqual(3);
    expect(page.lastText).toContain('word 39');
  });

  test('U40: rendering the page again keeps their values identical', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const artifacts = observe(useA2AArtifacts);
    const current = observe(useA2ATask);
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL }, { children: together(artifacts, current) });
    await page.sayAndWait('Hi');
    await until(() => current.last?.status.state === 'completed');
    const before = [artifacts.last, current.last];
    await page.rerender({ baseUrl: AGENT_URL });
    expect([artifacts.last, current.last].map((value, index) => value === before[index])).toEqual([true, true]);
  });

  test('U40: unchanged messages are not rendered again while the last message grows', async () => {
    const chunks = Array.from({ length: 20 }, (_, index) => chunk(`${index} `, { append: index > 0 }));
    serveScript({
      SendStreamingMessage: [{ events: ANSWER }, { events: [task(WORKING), ...chunks, status(COMPLETED)], delays: { chunkMs: 1 } }],
    });
    const first = observe(() => useAuiState(({ thread }) => thread.messages[1]));
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL }, { children: first.element });
    await page.sayAndWait('One');
    await until(() => first.last?.status?.type === 'complete');
    const [{ length }, answer] = [first.seen, page.messages[1]];
    await page.sayAndWait('Two');
    await until(() => page.lastText.startsWith('0 1 2'));
    expect(page.messages[1]).toBe(answer);
    // assistant-ui only updates that this message is no longer the last one.
    expect(first.seen.length).toBeLessThanOrEqual(length + 2);
  });

  test('U40: they have the types of the published package', () => {
    expectTypeOf(useA2ATask).returns.toEqualTypeOf<A2ATask | undefined>();
    expectTypeOf(useA2AArtifacts).returns.toEqualTypeOf<readonly A2AArtifact[]>();
    expectTypeOf(useA2AAgentCard).returns.toEqualTypeOf<A2AAgentCard | undefined>();
  });

  test('with a runtime of another package they throw an error that names the required runtime', async () => {
    const useOther = (): AssistantRuntime => useLocalRuntime({ run: async () => ({ content: [] }) });
    const page = mount(useOther, {}, { children: observe(useA2ATask).element });
    await expect(page).rejects.toThrow('useA2ARuntime or useConversationRuntime');
  });
});

describe('a conversation passed to useConversationRuntime', () => {
  function converse(fetch: typeof globalThis.fetch): Conversation {
    return createConversation(createClient(AGENT_URL, { fetch, retry: false }));
  }

  test('is shown, and the hooks return its task', async () => {
    const { fetch } = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const conversation = converse(fetch);
    const current = observe(useA2ATask);
    const page = await mount(useConversationRuntime, conversation, { children: current.element });
    await page.sayAndWait('Hi');
    expect(page.messages.map(textOf)).toEqual(['Hi', 'Hello.']);
    await until(() => current.last?.status.state === 'completed');
    expect(conversation.state.messages).toHaveLength(2);
    conversation.close();
  });

  test('shows messages that are sent outside of the page', async () => {
    const { fetch } = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const conversation = converse(fetch);
    const page = await mount(useConversationRuntime, conversation);
    await conversation.send('From the console');
    await until(() => page.messages.length === 2);
    expect(page.messages.map(textOf)).toEqual(['From the console', 'Hello.']);
    conversation.close();
  });

  test('stays open after unmounting, and the next page shows it', async () => {
    const { fetch } = serveScript({ SendStreamingMessage: { events: [task(WORKING), chunk('Half')], finish: 'stall' } });
    const conversation = converse(fetch);
    const page = await mount(useConversationRuntime, conversation);
    await page.say('Hi');
    await until(() => page.lastText === 'Half');
    page.unmount();
    const next = await mount(useConversationRuntime, conversation);
    await until(() => next.lastText === 'Half');
    expect(next.isRunning).toBe(true);
    conversation.close();
  });

  test('can be replaced by another one, for example to switch threads', async () => {
    const { fetch } = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const [one, two] = [converse(fetch), converse(fetch)];
    const page = await mount(useConversationRuntime, one);
    await page.sayAndWait('Hi');
    await page.rerender(two);
    await until(() => page.messages.length === 0);
    await page.sayAndWait('Hello?');
    expect(page.messages.map(textOf)).toEqual(['Hello?', 'Hello.']);
    await page.rerender(one);
    await until(() => textOf(page.messages[0]) === 'Hi');
    for (const conversation of [one, two]) conversation.close();
  });

  test('an answer that fails is shown on its message, without an unhandled rejection', async () => {
    const { fetch } = serveScript({ SendStreamingMessage: 500 });
    const conversation = converse(fetch);
    const page = await mount(useConversationRuntime, conversation);
    // A rejection of append() would be reported as unhandled, unlike one of the composer.
    page.runtime.thread.append('Hi');
    await until(() => page.messages[1]?.status?.type === 'incomplete');
    conversation.close();
  });

  test('only the first reply to a question is sent', async () => {
    const asked = [task(WORKING), status('TASK_STATE_INPUT_REQUIRED', 'Where?')];
    const agent = serveScript({ SendStreamingMessage: [{ events: asked }, { events: [task(WORKING)], finish: 'stall' }] });
    const conversation = converse(agent.fetch);
    const page = await mount(useConversationRuntime, conversation);
    await page.sayAndWait('Weather?');
    const parentId = page.messages[1]?.id ?? null;
    for (const text of ['Rome', 'Paris']) page.runtime.thread.append({ content: [{ type: 'text', text }], parentId });
    await until(() => agent.sent.length === 2 && page.messages.length === 4);
    expect(page.messages.map(textOf)).toEqual(['Weather?', 'Where?', 'Rome', '']);
    expect(conversation.export().messages).toHaveLength(4);
    conversation.close();
  });
});
