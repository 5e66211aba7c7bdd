import { useMemo, useSyncExternalStore } from 'react';
import type { Conversation } from '../client/conversation/conversation.js';
import { createEventLog, type EventLogOptions, type LoggedEvent } from './event-log.js';
import { useGivenConversation } from './given-conversation.js';

/** Options of `useConversationEvents`: the conversation, and how many events are kept. */
export interface ConversationEventsOptions extends EventLogOptions {
  /** The conversation whose events are returned. Default: the conversation of the `<ConversationProvider>` above. */
  readonly conversation?: Conversation;
}

/**
 * The last events since the component was mounted, oldest first, to display the log. Renders at most once per frame, however many events
 * arrive.
 */
export function useConversationEvents(options: ConversationEventsOptions = {}): readonly LoggedEvent[] {
  const { limit, frameMs, clock } = options;
  const conversation = useGivenConversation(options.conversation);
  const log = useMemo(
    () =>
      createEventLog(conversation, {
        ...(limit !== undefined && { limit }),
        ...(frameMs !== undefined && { frameMs }),
        ...(clock !== undefined && { clock }),
      }),
    [conversation, limit, frameMs, clock],
  );
  return useSyncExternalStore(log.subscribe, log.events, log.events);
}
