/** Adapts the history adapter of assistant-ui to the one of a conversation. */
import type { ThreadHistoryAdapter } from '@assistant-ui/react';
import type { ExportedConversation } from '../client/conversation/conversation.js';
import type { HistoryAdapter } from '../client/conversation/options.js';
import type { ThreadLike } from './runtime-import.js';
import type { MessageView } from './runtime-messages.js';

export interface HistoryParts {
  /** The adapter of the last render. */
  adapter(): ThreadHistoryAdapter | undefined;
  /** false: the adapter's messages are already loaded. */
  mayLoad(): boolean;
  readonly view: MessageView;
}

/** Uses the current adapter for each call. Without an adapter nothing is loaded or saved. */
export function historyOf({ adapter, mayLoad, view }: HistoryParts): HistoryAdapter {
  return {
    async load() {
      return fromRepository(mayLoad() ? await adapter()?.load() : undefined, view);
    },
    async append({ parentId, message }) {
      const given = adapter();
      const item = { parentId, message: view.toThread(message) };
      // A saved question changes when it is answered. An adapter without `update` keeps the old version.
      if (view.isRecorded(message.id)) return given?.update?.(item);
      await given?.append(item);
      view.record(message.id);
    },
  };
}

/** Reads messages that the application saved or created. Unreadable messages are left out, and their children move up to their parent. */
export function fromRepository(loaded: unknown, view: MessageView): ExportedConversation {
  const { headId, messages } = (loaded ?? {}) as { readonly headId?: unknown; readonly messages?: unknown };
  const items = (Array.isArray(messages) ? messages : []) as readonly ({ parentId?: unknown; message?: ThreadLike } | null)[];
  // Maps the id of a left-out message to its parent, which its children get instead.
  const instead = new Map<unknown, string | null>();
  // Not `??`: the parent of a left-out root is null.
  const replaced = (id: string | null): string | null => (instead.has(id) ? (instead.get(id) ?? null) : id);
  const read = items.flatMap((item) => {
    if (typeof item !== 'object' || item === null || item.message === undefined) return [];
    const parentId = replaced(typeof item.parentId === 'string' ? item.parentId : null);
    const message = view.fromThread(item.message, parentId);
    if (message !== undefined) return [{ parentId, message }];
    instead.set(item.message?.id, parentId);
    return [];
  });
  const head = typeof headId === 'string' ? replaced(headId) : undefined;
  return { ...(head !== undefined && { headId: head }), messages: read };
}

/** Reads messages as one branch, each the parent of the next. */
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
