/** `@parley/a2a/conversation`: a conversation with an agent for a page or an app, kept over reloads and shared by tabs. Every line below is public API. */
export type { Client } from './client/client.js';
export type {
  Connection,
  Conversation,
  ConversationEvent,
  ConversationState,
  ExportedConversation,
  PendingQuestion,
  PlainError,
  PlainStatus,
  PlainUpdate,
  TurnOptions,
} from './client/conversation/conversation.js';
export { createConversation } from './client/conversation/create-conversation.js';
export { createThreads } from './client/conversation/create-threads.js';
export { type IndexedDbOptions, indexedDb } from './client/conversation/indexed-db.js';
export type { IdbFactory } from './client/conversation/indexed-db-types.js';
export { memoryStorage } from './client/conversation/memory-storage.js';
export type { AgentMessage, ConversationMessage, MessageStatus, UserMessage } from './client/conversation/message.js';
export type { ConversationOptions, HistoryAdapter } from './client/conversation/options.js';
export type { ConversationStorage } from './client/conversation/storage.js';
export type { TabMember, TabSeat, Tabs } from './client/conversation/tabs.js';
export { soloTabs } from './client/conversation/tabs-solo.js';
export type { Threads, ThreadsOptions, ThreadsState } from './client/conversation/threads.js';
export type { ThreadSummary } from './client/conversation/threads-entry.js';
export { type WebStorage, webStorage } from './client/conversation/web-storage.js';
export { type TabLocks, type WebTabsOptions, webTabs } from './client/conversation/web-tabs.js';
export type { TabChannel } from './client/conversation/web-tabs-seat.js';
export type { Input } from './client/run/run-options.js';
