/** `@parley/a2a/react`: React hooks for conversations with an agent; needs `react`. Every line below is public API. */
export type { Client } from '../client/client.js';
export type { Conversation, ConversationState, PendingQuestion } from '../client/conversation/conversation.js';
export type { ConversationMessage } from '../client/conversation/message.js';
export type { Threads } from '../client/conversation/threads.js';
export { ConversationProvider, type ConversationProviderProps } from './conversation-provider.js';
export type { LoggedEvent } from './event-log.js';
export type { TaskFilter } from './task-list.js';
export { useAgentCard } from './use-agent-card.js';
export { type LiveConversation, useConversation } from './use-conversation.js';
export { type ConversationEventsOptions, useConversationEvents } from './use-conversation-events.js';
export { type IsEqual, useConversationState } from './use-conversation-state.js';
export { useArtifacts, useMessages, useQuestion, useTask } from './use-parts.js';
export { type LiveTaskList, useTaskList } from './use-task-list.js';
export { type LiveThreads, useThreads } from './use-threads.js';
