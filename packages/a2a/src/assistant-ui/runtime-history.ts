/** The history adapter of assistant-ui, as the conversation wants it. */
import type { ThreadHistoryAdapter } from '@assistant-ui/react';
import type { ExportedConversation } from '../client/conversation/conversation.js';
import type { HistoryAdapter } from '../client/conversation/options.js';
import type { ThreadLike } from './runtime-import.js';
import type { MessageView } from './runtime-messages.js';

export interface HistoryParts {
  /** As of now. */
  adapter(): ThreadHistoryAdapter | undefined;
  /** false: what it has is there already. */
  mayLoad(): boolean;
  readonly view: MessageView;
}

/** Reads and writes through whatever adapter there is at that moment; without one, nothing is there and nothing is kept. */
export function historyOf({ adapter, mayLoad, view }: HistoryParts): HistoryAdapter {
  return {
    async load() {
      return fromRepository(mayLoad() ? await adapter()?.load() : undefined, view);
    },
    async append({ parentId, message }) {
      const given = adapter();
      const item = { parentId, message: view.toThread(message) };
      // A question that was answered is no question any more: an adapter that can not change what it has keeps it as it was.
      if (view.isRecorded(message.id)) return given?.update?.(item);
      await given?.append(item);
      view.record(message.id);
    },
  };
}

/** What an application kept, or made up: messages that can not be read are left out, and the next one stands behind the one before. */
export function fromRepository(loaded: unknown, view: MessageView): ExportedConversation {
  const { headId, messages } = (loaded ?? {}) as { readonly headId?: unknown; readonly messages?: unknown };
  const items = (Array.isArray(messages) ? messages : []) as readonly ({ parentId?: unknown; message?: ThreadLike } | null)[];
  // A message without a place in A2A lends its own parent to those behind it.
  const instead = new Map<unknown, string | null>();
  const read = items.flatMap((item) => {
    if (typeof item !== 'object' || item === null || item.message === undefined) return [];
    const given = typeof item.parentId === 'string' ? item.parentId : null;
    const parentId = instead.get(given) ?? (instead.has(given) ? null : given);
    const message = view.fromThread(item.message, parentId);
    if (message !== undefined) return [{ parentId, message }];
    instead.set(item.message?.id, parentId);
    return [];
  });
  const head = typeof headId === 'string' ? (instead.get(headId) ?? headId) : undefined;
  return { ...(head !== undefined && { headId: head }), messages: read };
}

/** Messages in a line, each behind the one before. */
export function fromLine(messages: readonly ThreadLike[], view: MessageView): ExportedConversation {
  let parentId: string | null = null;
  const read: { parentId: string | null; message: ReturnType<MessageView['fromThread']> & object }[] = [];
  for (const given of Array.isArray(messages) ? messages : []) {
    const message = view.fromThread(given, parentId);
    if (message === undefined) continue;
    read.push({ parentId, message });
    parentId = message.id;
  }
  return { headId: parentId, messages: read };
}
