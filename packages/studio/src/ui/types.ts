/** Re-exports the library types that Studio uses. */
export type { AgentCard, Artifact, Part } from '@parley/a2a';
export type { AgentMessage, Connection, Conversation, ConversationEvent, ConversationState, UserMessage } from '@parley/a2a/conversation';
