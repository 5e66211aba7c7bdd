/** The shapes of a conversation, by the names that the page uses. */
import type { ConversationProviderProps } from '@parley/a2a/react';

export type { AgentCard, Artifact, JsonValue, Part, Task } from '@parley/a2a';
export type Conversation = NonNullable<ConversationProviderProps['conversation']>;
export type ConversationState = Conversation['state'];
export type ConversationMessage = ConversationState['messages'][number];
export type AgentMessage = Extract<ConversationMessage, { role: 'ROLE_AGENT' }>;
export type UserMessage = Extract<ConversationMessage, { role: 'ROLE_USER' }>;
export type ConversationEvent = Parameters<Parameters<Conversation['onEvent']>[0]>[0];
export type Connection = ConversationState['connection'];
export type PendingQuestion = NonNullable<ConversationState['question']>;
