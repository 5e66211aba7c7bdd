/** Hooks for the most used parts of a conversation. A component renders again only if its own part changes. */
import type { Conversation, ConversationState, PendingQuestion } from '../client/conversation/conversation.js';
import type { ConversationMessage } from '../client/conversation/message.js';
import type { Artifact, Task } from '../protocol/types.js';
import { useConversationState } from './use-conversation-state.js';

const messagesOf = ({ messages }: ConversationState): readonly ConversationMessage[] => messages;
const taskOf = ({ task }: ConversationState): Task | undefined => task;
const artifactsOf = ({ artifacts }: ConversationState): readonly Artifact[] => artifacts;
const questionOf = ({ question }: ConversationState): PendingQuestion | undefined => question;

/** The visible branch, oldest first. Unchanged messages keep their identity, so show each in a component made with `memo`. */
export function useMessages(conversation?: Conversation): readonly ConversationMessage[] {
  return useConversationState(messagesOf, Object.is, conversation);
}

/** The task of the last answer. */
export function useTask(conversation?: Conversation): Task | undefined {
  return useConversationState(taskOf, Object.is, conversation);
}

/** The artifacts of the last answer. The list keeps its identity until one of them changes. */
export function useArtifacts(conversation?: Conversation): readonly Artifact[] {
  return useConversationState(artifactsOf, Object.is, conversation);
}

/** The open question of the agent. Answer it with `send(text, { answers: question.messageId })`. */
export function useQuestion(conversation?: Conversation): PendingQuestion | undefined {
  return useConversationState(questionOf, Object.is, conversation);
}
