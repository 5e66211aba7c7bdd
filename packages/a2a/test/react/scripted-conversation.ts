/** A scripted conversation, to count the renders and calls of hooks. */
import type { Conversation, ConversationEvent, ConversationState } from '../../src/client/conversation/conversation.js';
import type { AgentMessage, UserMessage } from '../../src/client/conversation/message.js';

export interface ScriptedConversation extends Conversation {
  /** Changes the state and notifies the subscribers, as at the end of a frame. */
  set(changes: Partial<ConversationState>): void;
  emit(event: ConversationEvent): void;
  /** The recorded calls, in order. */
  readonly calls: readonly (readonly [verb: string, ...args: unknown[]])[];
  readonly listenerCount: number;
  readonly eventListenerCount: number;
}

export function scriptedConversation(initial: Partial<ConversationState> = {}): ScriptedConversation {
  let state: ConversationState = { ...EMPTY, ...initial };
  const listeners = new Set<() => void>();
  const eventListeners = new Set<(event: ConversationEvent) => void>();
  const calls: [string, ...unknown[]][] = [];
  const verb =
    <T>(name: string, result: T) =>
    (...args: unknown[]): T => {
      calls.push([name, ...args]);
      return result;
    };
  return {
    get state() {
      return state;
    },
    subscribe: (listener) => addTo(listeners, listener),
    onEvent: (listener) => addTo(eventListeners, listener),
    load: verb('load', Promise.resolve()),
    send: verb('send', Promise.resolve(undefined)),
    edit: verb('edit', Promise.resolve(undefined)),
    reload: verb('reload', Promise.resolve(undefined)),
    cancel: verb('cancel', Promise.resolve()),
    switchTo: verb('switchTo', undefined),
    settle: verb('settle', Promise.resolve(undefined)),
    setMessages: verb('setMessages', undefined),
    export: () => ({ messages: [] }),
    import: verb('import', undefined),
    clear: verb('clear', undefined),
    close: verb('close', undefined),
    set(changes) {
      state = { ...state, ...changes };
      for (const listener of [...listeners]) listener();
    },
    emit(event) {
      for (const listener of [...eventListeners]) listener(event);
    },
    calls,
    get listenerCount() {
      return listeners.size;
    },
    get eventListenerCount() {
      return eventListeners.size;
    },
  };
}

const EMPTY: ConversationState = {
  id: 'thread',
  messages: [],
  isRunning: false,
  isLoading: false,
  contextId: undefined,
  task: undefined,
  artifacts: [],
  question: undefined,
  card: undefined,
  connection: { state: 'idle' },
  isLeader: true,
};

export function userMessage(id: string, text: string): UserMessage {
  const parts = [{ text }];
  const message = { messageId: id, role: 'ROLE_USER' as const, parts };
  return {
    id,
    parentId: null,
    siblings: [id],
    createdAt: '2026-01-01T00:00:00Z',
    parts,
    text,
    role: 'ROLE_USER',
    message,
    delivery: 'sent',
  };
}

export function agentMessage(id: string, text: string, changes: Partial<AgentMessage> = {}): AgentMessage {
  return {
    ...{ id, parentId: null, siblings: [id], createdAt: '2026-01-01T00:00:00Z', parts: [{ text }], text, role: 'ROLE_AGENT' },
    ...{ status: { type: 'running' }, task: undefined, seq: undefined, said: [], artifacts: [], ...changes },
  };
}

function addTo<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => {
    set.delete(listener);
  };
}
