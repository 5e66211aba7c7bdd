// @vitest-environment happy-dom
/** Providers that create their own conversation: when, how often, and what remains after unmounting. */
import { Activity, type ActivityProps, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import type { ConversationMessage } from '../../src/client/conversation/message.js';
import { createClient } from '../../src/client/create-client.js';
import { ConversationProvider, type ConversationProviderProps, useMessages } from '../../src/react/index.js';
import { scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { openChat, serveAgent, textOf } from './chat.js';
import { scriptedConversation } from './scripted-conversation.js';

const ECHO = [{ do: 'append', artifactId: 'answer', text: 'Hello' }, { do: 'complete' }] as const;
const DATA = { tenant: 'us', extensions: [], fetchOptions: { credentials: 'include' as const } };
const LONG = [{ do: 'append', artifactId: 'answer', text: 'Hel' }, { do: 'gate', name: 'more' }, ...ECHO] as const;

describe('the options of the conversation', () => {
  test('U41: options that are equal by value keep the conversation, even when they are new objects', async () => {
    const { fetch } = serveAgent(scriptedExecutor(ECHO));
    const props = () => ({
      url: 'http://test',
      configuration: { acceptedOutputModes: ['text/plain'] },
      clientOptions: { fetch: (...args: Parameters<typeof fetch>) => fetch(...args), ...DATA },
      onError: () => undefined,
    });
    const { live, render, page } = await openChat(props());
    const { id, send } = live();
    await render(props());
    await render({ ...props(), url: new URL('http://test') });
    expect(live().id).toBe(id);
    expect(live().send).toBe(send);
    await page.leave();
  });

  test.each<[what: string, next: Partial<ConversationProviderProps>]>([
    ['url', { url: 'http://test/other' }],
    ['id', { id: 'another' }],
    ['tenant', { clientOptions: { tenant: 'them' } }],
    ['extensions', { clientOptions: { tenant: 'us', extensions: ['urn:x'] } }],
    ['fetchOptions', { clientOptions: { tenant: 'us', fetchOptions: { credentials: 'omit' } } }],
    ['configuration', { configuration: { historyLength: 3 } }],
  ])('U41: a changed %s creates a new conversation', async (_, next) => {
    const { fetch } = serveAgent(scriptedExecutor(ECHO));
    const props = { url: 'http://test', clientOptions: { tenant: 'us', fetch } };
    const { live, render, page } = await openChat(props);
    const { send } = live();
    // Each row sets one option of the provider or of its client.
    const changed = {
      ...props,
      ...next,
      clientOptions: { fetch, ...(next.clientOptions ?? props.clientOptions) },
    } as ConversationProviderProps;
    await render(changed);
    expect(live().send).not.toBe(send);
    await page.leave();
  });

  test('U41: headers are read for each request, so a new token needs no new conversation', async () => {
    const { fetch, sent } = serveAgent(scriptedExecutor(ECHO));
    const props = (token: string): ConversationProviderProps => ({
      url: 'http://test',
      run: { headers: { 'x-run': token } },
      clientOptions: { fetch, headers: { 'x-token': token } },
    });
    const { page, live, render, send } = await openChat(props('first'));
    const { id } = live();
    await send('hi');
    await page.until(() => !live().isRunning);
    await render(props('second'));
    await send('hi');
    await page.until(() => !live().isRunning);
    expect(sent('SendStreamingMessage').map(({ headers }) => [headers['x-token'], headers['x-run']])).toEqual([
      ['first', 'first'],
      ['second', 'second'],
    ]);
    expect(live().id).toBe(id);
    await page.leave();
  });

  test('U41: the callbacks of the last render are called', async () => {
    const { fetch } = serveAgent(scriptedExecutor([{ do: 'fail', text: 'No.' }]));
    const first = vi.fn();
    const second = vi.fn();
    const props = { url: 'http://test', clientOptions: { fetch } };
    const { page, live, render, send } = await openChat({ ...props, onError: first });
    await render({ ...props, onError: second });
    await send('hi');
    await page.until(() => !live().isRunning);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
    await page.leave();
  });

  test('U41: fetch is called without a receiver, as browsers require', async () => {
    const { fetch } = serveAgent(scriptedExecutor(ECHO));
    function picky(this: unknown, ...args: Parameters<typeof globalThis.fetch>) {
      if (this !== undefined) throw new TypeError('Illegal invocation');
      return fetch(...args);
    }
    const { page, live, send } = await openChat({ url: 'http://test', clientOptions: { fetch: picky } });
    await send('hi');
    await page.until(() => page.text === 'hiHello' && !live().isRunning);
    await page.leave();
  });

  test('U41: methods of a history keep their receiver, and the history of the last render is used', async () => {
    class History {
      readonly appended: string[] = [];
      async load() {
        return { messages: [] };
      }
      async append({ message }: { message: ConversationMessage }) {
        this.appended.push(textOf(message));
      }
    }
    const { fetch } = serveAgent(scriptedExecutor(ECHO));
    const [first, second] = [new History(), new History()];
    const props = { url: 'http://test', clientOptions: { fetch } };
    const { page, render, send } = await openChat({ ...props, history: first });
    await render({ ...props, history: second });
    await send('hi');
    await page.until(() => second.appended.length === 2);
    expect([first.appended, second.appended]).toEqual([[], ['hi', 'Hello']]);
    await page.leave();
  });

  test('U41: a client that is passed in is compared by identity and stays open', async () => {
    const { fetch } = serveAgent(scriptedExecutor(ECHO));
    const one = createClient('http://test', { fetch });
    const { page, live, render } = await openChat({ client: one });
    const { send } = live();
    await render({ client: one });
    expect(live().send).toBe(send);
    await render({ client: createClient('http://test', { fetch }) });
    expect(live().send).not.toBe(send);
    await page.leave();
    expect((await one.card()).name).toBe('Chatty');
  });
});

describe('invalid props throw', () => {
  test.each<[ConversationProviderProps | object, string]>([
    [{}, '<ConversationProvider> needs a conversation, a client, or the url of an agent'],
    [{ id: 'main' }, '<ConversationProvider> needs a conversation, a client, or the url of an agent'],
    [{ url: 'nowhere' }, '"nowhere" is not an http or https URL'],
    [{ url: 'http://test', clientOptions: { headers: { 'bad name': 'x' } } }, '"bad name" is not a valid header name'],
    [{ url: 'http://test', client: createClient('http://test') }, 'client and url were both given'],
    [{ client: createClient('http://test'), clientOptions: {} }, 'clientOptions have no effect together with client'],
    [{ url: 'http://test', conversation: scriptedConversation() }, 'conversation was given together with client or url'],
  ])('U41: %j is refused', (props, message) => {
    expect(() => renderToString(createElement(ConversationProvider, props as ConversationProviderProps))).toThrow(message);
  });
});

describe('StrictMode and unmounting', () => {
  test('a double mount neither opens two streams nor closes the conversation', async () => {
    const executor = scriptedExecutor(LONG);
    const { fetch, sent, streams } = serveAgent(executor);
    const { page, live, send } = await openChat({ url: 'http://test', clientOptions: { fetch } }, { strict: true });
    await send('hi');
    await page.until(() => page.text === 'hiHel');
    expect(streams.openStreams).toBe(1);
    await page.act(() => executor.open('more'));
    await page.until(() => !live().isRunning);
    expect(page.text).toBe('hiHelHello');
    expect(sent('GetAgentCard')).toHaveLength(1);
    expect([sent('SendStreamingMessage').length, streams.mostStreams]).toEqual([1, 1]);
    await page.leave();
  });

  test('unmounting ends the stream, and the task continues', async () => {
    const executor = scriptedExecutor(LONG);
    const { fetch, sent, streams } = serveAgent(executor);
    const { page, send, answer } = await openChat({ url: 'http://test', clientOptions: { fetch } });
    await send('hi');
    await page.until(() => page.text === 'hiHel');
    const id = answer().task?.id ?? '';
    await page.leave();
    await page.until(() => streams.openStreams === 0);
    expect(sent('CancelTask')).toEqual([]);
    executor.open('more');
    const client = createClient('http://test', { fetch });
    expect(await client.watch(id).result).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
  });

  test('a new url closes the streams of the old one', async () => {
    const { fetch, streams } = serveAgent(scriptedExecutor(LONG));
    const { page, render, send } = await openChat({ url: 'http://test', clientOptions: { fetch } });
    await send('hi');
    await page.until(() => page.text === 'hiHel');
    await render({ url: 'http://test/other', clientOptions: { fetch } });
    await page.until(() => streams.openStreams === 0);
    expect(page.text).toBe('');
    await page.leave();
  });

  test('a page that React hides and shows again keeps its messages and can send', async () => {
    const { fetch } = serveAgent(scriptedExecutor(ECHO));
    const { page, live, send, tree } = await openChat({ url: 'http://test', clientOptions: { fetch } });
    // The type requires children in the props.
    const inActivity = (mode: 'visible' | 'hidden') => page.render(createElement(Activity, { mode } as ActivityProps, tree));
    await inActivity('visible');
    await send('hi');
    await page.until(() => !live().isRunning);
    const { id } = live();
    await inActivity('hidden');
    await inActivity('visible');
    expect([page.text, live().id]).toEqual(['hiHello', id]);
    await send('again');
    await page.until(() => !live().isRunning);
    expect(page.text).toBe('hiHelloagainHello');
    await page.leave();
  });

  test('a conversation that is passed in stays open', async () => {
    const conversation = scriptedConversation();
    const { page } = await openChat({ conversation }, { strict: true });
    expect(conversation.listenerCount).toBe(1);
    await page.leave();
    expect(conversation.listenerCount).toBe(0);
    expect(conversation.calls.filter(([verb]) => verb === 'close')).toEqual([]);
  });

  test('a server render creates a conversation without any request', () => {
    const fetch = vi.fn();
    const Chat = () => String(useMessages().length);
    const html = renderToString(createElement(ConversationProvider, { url: 'http://test', clientOptions: { fetch } }, createElement(Chat)));
    expect(html).toBe('0');
    expect(fetch).not.toHaveBeenCalled();
  });
});
