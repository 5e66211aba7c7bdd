// @vitest-environment happy-dom
/** A whole chat on a page, with a real agent in this process. */
import { createElement, memo } from 'react';
import { describe, expect, test } from 'vitest';
import { createConversation } from '../../src/client/conversation/create-conversation.js';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import type { ConversationMessage } from '../../src/client/conversation/message.js';
import { createClient } from '../../src/client/create-client.js';
import { useArtifacts, useConversationEvents, useMessages, useQuestion, useTask } from '../../src/react/index.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { openChat, serveAgent, textOf } from './chat.js';

const say = (text: string): ScriptStep => ({ do: 'append', artifactId: 'answer', text });

describe('a chat', () => {
  test('shows the answer while it arrives, then its complete status', async () => {
    const executor = scriptedExecutor([say('Hel'), { do: 'gate', name: 'more' }, say('lo'), { do: 'complete' }]);
    const { fetch } = serveAgent(executor);
    const { page, live, send, answer } = await openChat({ url: 'http://test', clientOptions: { fetch } });
    await send('hi');
    await page.until(() => page.text === 'hiHel');
    expect([live().isRunning, answer().status.type]).toEqual([true, 'running']);
    await page.act(() => executor.open('more'));
    await page.until(() => !live().isRunning);
    expect(page.text).toBe('hiHello');
    expect(answer().status).toEqual({ type: 'complete', reason: 'stop' });
    expect(live().card?.name).toBe('Chatty');
    await page.leave();
  });

  test('shows the question of the agent, and the reply goes to the same task', async () => {
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'Which cake?' }, say('One cake.'), { do: 'complete' }]);
    const { fetch, sent } = serveAgent(executor);
    const Asked = () => `[${useQuestion()?.prompt ?? ''}]`;
    const { page, live, send } = await openChat({ url: 'http://test', clientOptions: { fetch } }, { more: createElement(Asked) });
    await send('A cake');
    await page.until(() => page.text.endsWith('[Which cake?]'));
    const { question } = live();
    await send('Sacher', { answers: question?.messageId ?? '' });
    await page.until(() => !live().isRunning);
    expect(page.text.endsWith('[]')).toBe(true);
    expect(executor.answers).toEqual(['Sacher']);
    expect(live().task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(sent('SendStreamingMessage')).toHaveLength(2);
    await page.leave();
  });

  test('cancel ends the answer on the page and the task at the agent', async () => {
    const { fetch, streams } = serveAgent(scriptedExecutor([say('Hel'), { do: 'gate', name: 'never' }]));
    const { page, live, send, answer } = await openChat({ url: 'http://test', clientOptions: { fetch } });
    await send('hi');
    await page.until(() => page.text === 'hiHel');
    await page.act(() => live().cancel());
    expect(answer().status).toEqual({ type: 'incomplete', reason: 'cancelled' });
    await page.until(() => live().task?.status.state === 'TASK_STATE_CANCELED');
    expect([live().isRunning, streams.openStreams]).toEqual([false, 0]);
    await page.leave();
  });

  test('reload shows a new answer and keeps the old one as a sibling', async () => {
    const executor = scriptedExecutor([say('One'), { do: 'complete' }], { turns: [[say('Two'), { do: 'complete' }]] });
    const { fetch } = serveAgent(executor);
    const { page, live, send, answer } = await openChat({ url: 'http://test', clientOptions: { fetch } });
    await send('hi');
    await page.until(() => !live().isRunning);
    const first = answer().id;
    await page.act(() => live().reload(first));
    expect(page.text).toBe('hiTwo');
    expect(answer().siblings).toEqual([first, answer().id]);
    await page.act(() => live().switchTo(first));
    expect(page.text).toBe('hiOne');
    await page.leave();
  });

  test('edit creates a new branch', async () => {
    const executor = scriptedExecutor([say('One'), { do: 'complete' }], { turns: [[say('Two'), { do: 'complete' }]] });
    const { fetch } = serveAgent(executor);
    const { page, live, send } = await openChat({ url: 'http://test', clientOptions: { fetch } });
    await send('hi');
    await page.until(() => !live().isRunning);
    const [first] = live().messages;
    await page.act(() => live().edit(first?.id ?? '', 'hello'));
    expect(page.text).toBe('helloTwo');
    expect(live().messages[0]?.siblings).toHaveLength(2);
    await page.leave();
  });
});

describe('a page reload', () => {
  test.each([false, true])(
    'during an answer shows the partial answer at once, and the rest when it arrives (StrictMode: %s)',
    async (strict) => {
      const executor = scriptedExecutor([say('Hel'), { do: 'gate', name: 'more' }, say('lo'), { do: 'complete' }]);
      const { fetch, sent, streams } = serveAgent(executor);
      const props = { url: 'http://test', id: 'main', storage: memoryStorage(), clientOptions: { fetch } };
      const before = await openChat(props, { strict });
      await before.send('hi');
      await before.page.until(() => before.page.text === 'hiHel');
      await before.page.leave();
      await before.page.until(() => streams.openStreams === 0);

      const { page, live, answer } = await openChat(props, { strict });
      await page.until(() => page.text === 'hiHel');
      expect(live().isRunning).toBe(true);
      await page.act(() => executor.open('more'));
      await page.until(() => !live().isRunning);
      expect(page.text).toBe('hiHello');
      expect(answer().status).toEqual({ type: 'complete', reason: 'stop' });
      expect([sent('SendStreamingMessage').length, streams.openStreams, streams.mostStreams]).toEqual([1, 0, 1]);
      await page.leave();
    },
  );

  test('at an open question shows the question again', async () => {
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'Which cake?' }, say('One cake.'), { do: 'complete' }]);
    const { fetch } = serveAgent(executor);
    const props = { url: 'http://test', id: 'main', storage: memoryStorage(), clientOptions: { fetch } };
    const before = await openChat(props);
    await before.send('A cake');
    await before.page.until(() => before.live().question !== undefined);
    await before.page.leave();

    const { page, live, send } = await openChat(props);
    await page.until(() => live().question?.prompt === 'Which cake?');
    await send('Sacher', { answers: live().question?.messageId ?? '' });
    await page.until(() => live().task?.status.state === 'TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['Sacher']);
    await page.leave();
  });
});

describe('render counts with a real conversation', () => {
  test('U40: 1,000 chunks render the answer once per frame, other messages never, and a status does not render the artifacts', async () => {
    const clock = manualClock();
    const burst = Array.from({ length: 100 }, () => say('word '));
    const frames = Array.from({ length: 10 }, (_, i): ScriptStep[] => [{ do: 'gate', name: `frame ${i}` }, ...burst]).flat();
    const end: ScriptStep[] = [
      { do: 'gate', name: 'status' },
      { do: 'working', text: 'Nearly' },
      { do: 'gate', name: 'end' },
      { do: 'complete' },
    ];
    const executor = scriptedExecutor([{ do: 'working' }, ...frames, ...end]);
    const { fetch } = serveAgent(executor);
    const renders = new Map<string, number>();
    const count = (what: string): void => void renders.set(what, (renders.get(what) ?? 0) + 1);
    const Shown = memo(({ message }: { message: ConversationMessage }) => {
      count(message.role);
      return textOf(message).length;
    });
    const List = () => useMessages().map((message) => createElement(Shown, { key: message.id, message }));
    const Artifacts = () => {
      count('artifacts');
      return useArtifacts().length;
    };
    const State = () => {
      count('task');
      return useTask()?.status.state ?? '';
    };
    const more = [List, Artifacts, State].map((part) => createElement(part, { key: part.name }));
    const conversation = createConversation(createClient('http://test', { fetch }), { clock });
    const updates: string[] = [];
    conversation.onEvent((event) => void (event.kind === 'update' && updates.push(event.update.kind)));
    const { page, live, send, answer } = await openChat({ conversation }, { more });
    await send('hi');
    await frameWith('task', 1);
    expect(live().task).toBeDefined();
    const before = new Map(renders);

    for (let frame = 0; frame < 10; frame += 1) {
      executor.open(`frame ${frame}`);
      await frameWith('artifact', 100 * (frame + 1));
    }
    expect(textOf(answer())).toBe('word '.repeat(1000));
    const during = (what: string): number => (renders.get(what) ?? 0) - (before.get(what) ?? 0);
    expect(during('ROLE_USER')).toBe(0);
    expect(during('ROLE_AGENT')).toBeLessThanOrEqual(10);
    expect(during('artifacts')).toBeLessThanOrEqual(10);

    const artifacts = renders.get('artifacts');
    const states = updates.filter((kind) => kind === 'state').length;
    executor.open('status');
    await frameWith('state', states + 1);
    executor.open('end');
    await frameWith('state', states + 2);
    expect(live().isRunning).toBe(false);
    expect(renders.get('artifacts')).toBe(artifacts);
    await page.leave();
    conversation.close();
    expect(clock.pending).toBe(0);

    /** Waits for this many events of the kind, then ends the frame. */
    async function frameWith(kind: string, count: number): Promise<void> {
      await page.until(() => updates.filter((one) => one === kind).length >= count);
      await page.act(() => clock.tick(16));
    }
  });

  test('the event log has every event of the conversation', async () => {
    const { fetch } = serveAgent(scriptedExecutor([say('One'), say('Two'), { do: 'complete' }]));
    const Log = () =>
      useConversationEvents()
        .map(({ event }) => event.kind)
        .join(' ');
    const { page, live, send } = await openChat({ url: 'http://test', clientOptions: { fetch } }, { more: createElement(Log) });
    await send('hi');
    await page.until(() => !live().isRunning && /put.*update.*status/.test(page.text));
    await page.leave();
  });
});
