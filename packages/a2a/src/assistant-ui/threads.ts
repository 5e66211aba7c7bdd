/** Switches threads that the application stores. */
import type { ExternalStoreThreadListAdapter } from '@assistant-ui/react';
import type { UseA2AThreadListAdapter } from './options.js';
import { fromLine } from './runtime-history.js';
import type { ShownConversation } from './runtime-messages.js';

/**
 * Leaves the old thread only after the application has loaded the new one. Its running answer is detached at once, so that later events are
 * neither shown nor saved in the new thread. Its task continues.
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
