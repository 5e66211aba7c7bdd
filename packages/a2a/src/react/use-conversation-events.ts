import { useMemo, useSyncExternalStore } from 'react';
import type { Conversation } from '../client/conversation/conversation.js';
import { createEventLog, type EventLogOptions, type LoggedEvent } from './event-log.js';
import { useGivenConversation } from './given-conversation.js';

export interface ConversationEventsOptions extends EventLogOptions {
  /** Default: the one of the `<ConversationProvider>` above. */
  readonly conversation?: Conversation;
}

/** The last events since the component is shown, oldest first, for a view of the log: at most one render per frame, however many come. */
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
