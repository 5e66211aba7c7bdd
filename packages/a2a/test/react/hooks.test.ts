// @vitest-environment happy-dom
/** The values of the hooks, and how often they render. */
import { createElement, memo, type ReactNode, useRef } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import type { ConversationMessage } from '../../src/client/conversation/message.js';
import {
  ConversationProvider,
  type LiveConversation,
  useAgentCard,
  useArtifacts,
  useConversation,
  useConversationState,
  useMessages,
  useQuestion,
  useTask,
} from '../../src/react/index.js';
import { openPage } from './page.js';
import { agentMessage, type ScriptedConversation, scriptedConversation, userMessage } from './scripted-conversation.js';

describe('render counts', () => {
  test('U40: 1,000 chunks in 10 frames render the answer 10 more times, and the other messages never again', async () => {
    const conversation = scriptedConversation({ messages: [userMessage('u1', 'hi'), agentMessage('a1', 'Hello'), agentMessage('a2', '')] });
    const renders = new Map<string, number>();
    const Shown = memo(({ message }: { message: ConversationMessage }) => {
      renders.set(message.id, (renders.get(message.id) ?? 0) + 1);
      return createElement('p', undefined, message.parts[0]?.text);
    });
    const List = () => useMessages().map((message) => createElement(Shown, { key: message.id, message }));
    const page = await openPage(within(conversation, createElement(List)));

    let text = '';
    for (let frame = 0; frame < 10; frame += 1) {
      text += 'word '.repeat(100);
      const [user, first] = conversation.state.messages;
      if (user === undefined || first === undefined) throw new Error('The messages are missing');
      await page.act(() => conversation.set({ messages: [user, first, agentMessage('a2', text)] }));
    }
    expect(page.text).toBe(`hiHello${'word '.repeat(1000)}`);
    expect(Object.fromEntries(renders)).toEqual({ u1: 1, a1: 1, a2: 11 });
    await page.leave();
  });

  test('U40: useArtifacts returns the same list and does not render while only the status changes', async () => {
    const artifacts = [{ artifactId: 'answer', parts: [{ text: 'one' }] }];
    const conversation = scriptedConversation({ artifacts });
    const seen: unknown[] = [];
    const Artifacts = () => {
      const list = useArtifacts();
      seen.push(list);
      return list.length;
    };
    const page = await openPage(within(conversation, createElement(Artifacts)));
    await page.act(() => conversation.set({ task: task('TASK_STATE_WORKING'), isRunning: true }));
    await page.act(() => conversation.set({ task: task('TASK_STATE_COMPLETED'), isRunning: false }));
    expect(seen).toEqual([artifacts]);
    expect(seen[0]).toBe(artifacts);

    await page.act(() => conversation.set({ artifacts: [...artifacts, { artifactId: 'more', parts: [] }] }));
    expect(seen).toHaveLength(2);
    expect(page.text).toBe('2');
    await page.leave();
  });

  test('U40: useTask renders for its task, and not for messages', async () => {
    const conversation = scriptedConversation();
    let renders = 0;
    const State = () => {
      renders += 1;
      return useTask()?.status.state;
    };
    const page = await openPage(within(conversation, createElement(State)));
    await page.act(() => conversation.set({ messages: [userMessage('u1', 'hi')] }));
    await page.act(() => conversation.set({ messages: [userMessage('u2', 'there')] }));
    expect(renders).toBe(1);
    await page.act(() => conversation.set({ task: task('TASK_STATE_WORKING') }));
    expect([renders, page.text]).toEqual([2, 'TASK_STATE_WORKING']);
    await page.leave();
  });

  test('U40: an inline selector that returns a new value each time renders only when the value differs', async () => {
    const conversation = scriptedConversation({ messages: [userMessage('u1', 'hi')] });
    const sameIds = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
    let renders = 0;
    const Ids = () => {
      renders += 1;
      return useConversationState(({ messages }) => messages.map(({ id }) => id), sameIds).join();
    };
    const page = await openPage(within(conversation, createElement(Ids)));
    await page.act(() => conversation.set({ messages: [userMessage('u1', 'hi there')] }));
    await page.act(() => conversation.set({ isRunning: true }));
    expect(renders).toBe(1);
    await page.act(() => conversation.set({ messages: [userMessage('u1', 'hi'), agentMessage('a1', '')] }));
    expect([renders, page.text]).toEqual([2, 'u1,a1']);
    await page.leave();
  });

  test('U40: an equal selection stays the same object when the component renders for other reasons', async () => {
    const conversation = scriptedConversation({ messages: [userMessage('u1', 'hi')] });
    const selections = new Set<unknown>();
    const sameIds = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
    const Ids = (_: { round: number }) => {
      selections.add(useConversationState(({ messages }) => messages.map(({ id }) => id), sameIds));
      return null;
    };
    const page = await openPage(within(conversation, createElement(Ids, { round: 1 })));
    await page.render(within(conversation, createElement(Ids, { round: 2 })));
    await page.render(within(conversation, createElement(Ids, { round: 3 })));
    expect(selections.size).toBe(1);
    await page.leave();
  });
});

describe('useConversation', () => {
  test('returns the state and stable methods that call the conversation', async () => {
    const conversation = scriptedConversation();
    const seen: LiveConversation[] = [];
    const Chat = () => {
      const live = useConversation();
      seen.push(live);
      return String(live.isRunning);
    };
    const page = await openPage(within(conversation, createElement(Chat)));
    await page.act(() => conversation.set({ isRunning: true }));
    expect(page.text).toBe('true');
    const [first, last] = seen;
    if (first === undefined || last === undefined) throw new Error('Expected two renders');
    const verbs = ['send', 'edit', 'reload', 'cancel', 'switchTo', 'settle', 'clear'] as const;
    for (const verb of verbs) expect(last[verb]).toBe(first[verb]);

    await first.send('hi', { parentId: null });
    await first.edit('u1', 'hello');
    await first.reload('a1');
    await first.cancel();
    first.switchTo('u2');
    await first.settle('u3', 'resend');
    first.clear();
    expect(conversation.calls.filter(([verb]) => verb !== 'load')).toEqual([
      ['send', 'hi', { parentId: null }],
      ['edit', 'u1', 'hello'],
      ['reload', 'a1'],
      ['cancel'],
      ['switchTo', 'u2'],
      ['settle', 'u3', 'resend'],
      ['clear'],
    ]);
    await page.leave();
  });

  test('does not read the task, because reading it builds it', async () => {
    const look = vi.fn();
    const state = Object.defineProperty({ ...scriptedConversation().state }, 'task', { get: look, enumerable: true });
    const conversation = Object.defineProperty(scriptedConversation(), 'state', { get: () => state });
    const Chat = () => useConversation(conversation).id;
    const page = await openPage(createElement(Chat));
    expect([page.text, look.mock.calls.length]).toEqual(['thread', 0]);
    await page.leave();
  });

  test('a conversation that is passed to the hook needs no provider, and can be replaced', async () => {
    const one = scriptedConversation({ id: 'one' });
    const two = scriptedConversation({ id: 'two' });
    const Chat = ({ about }: { about: ScriptedConversation }) => useConversation(about).id;
    const page = await openPage(createElement(Chat, { about: one }));
    expect([page.text, one.listenerCount]).toEqual(['one', 1]);
    await page.render(createElement(Chat, { about: two }));
    expect([page.text, one.listenerCount, two.listenerCount]).toEqual(['two', 0, 1]);
    await page.leave();
    expect(two.listenerCount).toBe(0);
  });

  test('without a conversation the hooks throw an error that names what is missing', () => {
    const Chat = () => useMessages().length;
    expect(() => renderToString(createElement(Chat))).toThrow(
      'There is no conversation: pass one to the hook, or put a <ConversationProvider>',
    );
    const Card = () => useAgentCard()?.name;
    expect(() => renderToString(createElement(Card))).toThrow('There is no agent: pass a client to useAgentCard');
  });

  test('mounting loads the stored messages, and a load that fails is no unhandled rejection', async () => {
    const conversation = { ...scriptedConversation(), load: vi.fn(() => Promise.reject(new Error('no room'))) };
    const Chat = () => useMessages(conversation).length;
    const page = await openPage(createElement(Chat));
    expect(conversation.load).toHaveBeenCalled();
    await page.leave();
  });
});

test('useQuestion and useAgentCard follow the conversation of the provider', async () => {
  const conversation = scriptedConversation();
  const Asked = () => {
    const renders = useRef(0);
    renders.current += 1;
    return `${useAgentCard()?.name}: ${useQuestion()?.prompt} (${renders.current})`;
  };
  const page = await openPage(within(conversation, createElement(Asked)));
  expect(page.text).toBe('undefined: undefined (1)');
  await page.act(() => conversation.set({ question: { messageId: 'a1', want: 'input', prompt: 'Which?', message: undefined } }));
  await page.act(() => conversation.set({ isRunning: false }));
  expect(page.text).toBe('undefined: Which? (2)');
  await page.leave();
});

test('all hooks render on a server, and send no request there', () => {
  const conversation = scriptedConversation({ messages: [userMessage('u1', 'hi')] });
  const Chat = () => `${useMessages()[0]?.parts[0]?.text} ${useConversation().isRunning} ${useArtifacts().length}`;
  expect(renderToString(within(conversation, createElement(Chat)))).toBe('hi false 0');
  expect(conversation.calls).toEqual([]);
});

function within(conversation: ScriptedConversation, children: ReactNode) {
  return createElement(ConversationProvider, { conversation, children });
}

function task(state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED') {
  return { id: 'task', contextId: 'context', status: { state }, artifacts: [], history: [] };
}
