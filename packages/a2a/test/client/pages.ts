/** Browser pages that can die at any moment: their requests, streams and saves stop immediately. */

import type { Part } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';
import {
  type Conversation,
  type ConversationEvent,
  type ConversationStorage,
  createConversation,
  type TabChannel,
  type TabLocks,
  webTabs,
} from '@parley/a2a/conversation';
import type { FakeTab, ManualClock } from '@parley/a2a/testing';

export interface PageOptions {
  readonly fetch: typeof fetch;
  readonly storage?: ConversationStorage;
  readonly clock: ManualClock;
  /** Default: pages do not share tabs. */
  readonly tab?: FakeTab;
  /** Requests wait until `connect` is called. */
  readonly isOffline?: boolean;
}

export interface Page {
  readonly conversation: Conversation;
  /** All events of the conversation, in order. */
  readonly events: readonly ConversationEvent[];
  readonly errors: unknown[];
  connect(): void;
  /** Ends the page like a process that dies. */
  die(): void;
}

export function openPage({ fetch, storage, clock, tab, isOffline = false }: PageOptions): Page {
  const death = new AbortController();
  let connect = (): void => {};
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  if (!isOffline) connect();
  const own: typeof globalThis.fetch = async (input, init) => {
    await connected;
    death.signal.throwIfAborted();
    const signal = init?.signal ? AbortSignal.any([init.signal, death.signal]) : death.signal;
    return fetch(input, { ...init, signal });
  };
  const events: ConversationEvent[] = [];
  const errors: unknown[] = [];
  const client = createClient('http://test', { fetch: own, retry: false, breaker: false, compat: false, clock });
  const tabs = tab && webTabs(tab as { locks: TabLocks; channel: (name: string) => TabChannel });
  const conversation = createConversation(client, {
    id: 'thread',
    onError: (error) => void errors.push(error),
    clock,
    tabs: tabs ?? false,
    ...(storage && { storage: untilDeath(storage, death.signal) }),
  });
  conversation.onEvent((event) => void events.push(event));
  return {
    conversation,
    events,
    errors,
    connect,
    die() {
      death.abort(new TypeError('the page is closed'));
      tab?.kill();
      conversation.close();
    },
  };
}

function untilDeath(storage: ConversationStorage, death: AbortSignal): ConversationStorage {
  const never = new Promise<never>(() => {});
  return {
    get: (key) => (death.aborted ? never : storage.get(key)),
    set: (key, value) => (death.aborted ? never : storage.set(key, value)),
    remove: (key) => (death.aborted ? never : storage.remove(key)),
    keys: (prefix) => (death.aborted ? never : storage.keys(prefix)),
  };
}

const PATIENCE_MS = 10_000;

/**
 * Advances the clock until the check passes. Some server work needs real time, and the manual clock must not run ahead of it: calls would
 * time out.
 */
export async function passUntil(clock: ManualClock, check: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let step = 0; !check(); step += 1) {
    if (performance.now() > giveUpAt) throw new Error(`the condition did not become true: ${check}`);
    if (step > 20) await new Promise((resolve) => setTimeout(resolve, 1));
    await clock.tick(1);
  }
}

export const textOf = ({ state }: Conversation): string[] =>
  state.messages.map(({ parts }) => parts.map(({ text }) => text ?? '').join(''));

const OWN = ['id', 'taskId', 'contextId', 'messageId', 'parentId', 'siblings', 'headId', 'timestamp', 'createdAt', 'at', 'savedAt'];

/** The state for a comparison of two conversations, without ids and times, and with adjacent text parts joined. */
export function stateOf(conversation: Conversation): unknown {
  const { messages, isRunning, question, artifacts, connection, task } = conversation.state;
  const plain = { messages, isRunning, question, artifacts, connection, task };
  return JSON.parse(
    JSON.stringify(plain, (key, value) => {
      if (OWN.includes(key)) return undefined;
      return key === 'parts' ? joined(value) : value;
    }),
  );
}

function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (part.text !== undefined && last?.text !== undefined) whole[whole.length - 1] = { ...last, text: last.text + part.text };
    else whole.push(part);
  }
  return whole;
}
