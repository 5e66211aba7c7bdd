/** The shapes that the page is made of, from where the library has them. */
export type { AgentCard, Artifact, Part } from '@parley/a2a';
export type { AgentMessage, Connection, Conversation, ConversationEvent, ConversationState, UserMessage } from '@parley/a2a/conversation';
