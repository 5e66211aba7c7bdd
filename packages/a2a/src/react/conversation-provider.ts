import { createElement, type ReactElement, type ReactNode } from 'react';
import type { Conversation } from '../client/conversation/conversation.js';
import { ConversationContext } from './given-conversation.js';

export interface ConversationProviderProps {
  readonly conversation: Conversation;
  readonly children?: ReactNode;
}

/** Gives a conversation to the hooks below it. */
export function ConversationProvider({ conversation, children }: ConversationProviderProps): ReactElement {
  return createElement(ConversationContext.Provider, { value: conversation }, children);
}
