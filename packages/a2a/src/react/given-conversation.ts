/** The conversation of a hook: its argument, or the one of the provider above. */
import { createContext, useContext } from 'react';
import type { Conversation } from '../client/conversation/conversation.js';
import { A2AError } from '../protocol/errors.js';

export const ConversationContext = createContext<Conversation | undefined>(undefined);

export function useGivenConversation(given: Conversation | undefined): Conversation {
  const above = useContext(ConversationContext);
  const conversation = given ?? above;
  if (conversation !== undefined) return conversation;
  throw new A2AError(
    'INVALID_PARAMS',
    'There is no conversation: pass one to the hook, or put a <ConversationProvider> above the component',
  );
}
