/** `@parley/a2a/react`: hooks over a conversation. Every line below is public API. */
export type { Conversation } from '../client/conversation/conversation.js';
