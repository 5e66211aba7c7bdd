/** `@parley/a2a/assistant-ui`: what `@assistant-ui/react-a2a` exports, on Parley's client. Every line below is public API. */
export type { Conversation } from '../client/conversation/conversation.js';
