/** `@parley/a2a/react`: hooks over a conversation. Every line below is public API. */
export { ConversationProvider, type ConversationProviderProps } from './conversation-provider.js';
export type { LoggedEvent } from './event-log.js';
export type { TaskFilter } from './task-list.js';
export { useAgentCard } from './use-agent-card.js';
export { type LiveConversation, useConversation } from './use-conversation.js';
export { type ConversationEventsOptions, useConversationEvents } from './use-conversation-events.js';
export { useConversationState } from './use-conversation-state.js';
export { useArtifacts, useMessages, useQuestion, useTask } from './use-parts.js';
export { type LiveTaskList, useTaskList } from './use-task-list.js';
export { type LiveThreads, useThreads } from './use-threads.js';
