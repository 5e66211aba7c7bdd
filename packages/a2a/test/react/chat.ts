/** A chat on a page, with a real agent in this process. */
import { createElement, type ReactNode } from 'react';
import type { AgentMessage, ConversationMessage } from '../../src/client/conversation/message.js';
import { ConversationProvider, type ConversationProviderProps, type LiveConversation, useConversation } from '../../src/react/index.js';
import { createAgent } from '../../src/server/index.js';
import type { ScriptedExecutor } from '../../src/testing/scripted-executor.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { countStreams } from './open-streams.js';
import { openPage } from './page.js';

export function serveAgent(executor: ScriptedExecutor) {
  const served = createTestFetch(createAgent({ name: 'Chatty', executor }));
  const counting = countStreams(served);
  return {
    fetch: counting.fetch,
    streams: counting,
    sent: (operation: string) => served.requests.filter((request) => request.operation === operation),
  };
}

export interface ChatOptions {
  readonly strict?: boolean;
  readonly more?: ReactNode;
}

/** Renders a chat, and returns the value of its hook at each render. */
export async function openChat(props: ConversationProviderProps, { strict = false, more }: ChatOptions = {}) {
  const lives: LiveConversation[] = [];
  const Chat = () => {
    const live = useConversation();
    lives.push(live);
    return live.messages.map((message) => createElement('p', { key: message.id }, textOf(message)));
  };
  const tree = (next: ConversationProviderProps) => createElement(ConversationProvider, next, createElement(Chat), more);
  const page = await openPage(tree(props), { strict });
  const live = (): LiveConversation => {
    const last = lives.at(-1);
    if (last === undefined) throw new Error('Nothing was rendered');
    return last;
  };
  return {
    page,
    live,
    lives,
    tree: tree(props),
    render: (next: ConversationProviderProps) => page.render(tree(next)),
    /** Does not wait for the answer. */
    send: (...args: Parameters<LiveConversation['send']>) =>
      page.act(() => {
        void live()
          .send(...args)
          .catch(() => undefined);
      }),
    answer: (): AgentMessage => {
      const last = live().messages.at(-1);
      if (last?.role !== 'ROLE_AGENT') throw new Error('The last message is not from the agent');
      return last;
    },
  };
}

export function textOf({ parts }: ConversationMessage): string {
  return parts.map(({ text = '' }) => text).join('');
}
