/** Switching threads where the application keeps them. */
import type { ExternalStoreThreadListAdapter } from '@assistant-ui/react';
import type { UseA2AThreadListAdapter } from './options.js';
import { fromLine } from './runtime-history.js';
import type { ShownConversation } from './runtime-messages.js';

/**
 * The old thread is left only when the new one is there, and at once: what was still coming in for it is neither shown nor kept in the new
 * one. Its task goes on.
 */
export function toThreadList(adapter: UseA2AThreadListAdapter, { conversation, view }: ShownConversation): ExternalStoreThreadListAdapter {
  const { threadId, onSwitchToNewThread, onSwitchToThread } = adapter;
  return {
    ...(threadId !== undefined && { threadId }),
    ...(onSwitchToNewThread !== undefined && {
      async onSwitchToNewThread() {
        await onSwitchToNewThread();
        conversation.clear();
      },
    }),
    ...(onSwitchToThread !== undefined && {
      async onSwitchToThread(id: string) {
        const { messages } = await onSwitchToThread(id);
        conversation.clear();
        conversation.import(fromLine(messages, view));
      },
    }),
  };
}
