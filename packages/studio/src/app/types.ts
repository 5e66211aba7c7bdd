/** The shapes that the page is made of, from where the library has them. */
export type { AgentCard, Artifact, JsonValue, Part, Task } from '@parley/a2a';
export type {
  AgentMessage,
  Connection,
  Conversation,
  ConversationEvent,
  ConversationMessage,
  ConversationState,
  PendingQuestion,
  UserMessage,
} from '@parley/a2a/client';
