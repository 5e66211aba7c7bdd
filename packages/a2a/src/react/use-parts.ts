/** The parts of a conversation that most components need, each by itself: a component renders again only when its own part changed. */
import type { Conversation, ConversationState, PendingQuestion } from '../client/conversation/conversation.js';
import type { ConversationMessage } from '../client/conversation/message.js';
import type { Artifact, Task } from '../protocol/types.js';
import { useConversationState } from './use-conversation-state.js';

const messagesOf = ({ messages }: ConversationState): readonly ConversationMessage[] => messages;
const taskOf = ({ task }: ConversationState): Task | undefined => task;
const artifactsOf = ({ artifacts }: ConversationState): readonly Artifact[] => artifacts;
const questionOf = ({ question }: ConversationState): PendingQuestion | undefined => question;

/** The branch that is shown, oldest first. Messages that did not change stay the same object: show each in a component made by `memo`. */
export function useMessages(conversation?: Conversation): readonly ConversationMessage[] {
  return useConversationState(messagesOf, Object.is, conversation);
}

/** The task of the last answer, as the agent sees it. */
export function useTask(conversation?: Conversation): Task | undefined {
  return useConversationState(taskOf, Object.is, conversation);
}

/** The artifacts of the last answer: the same list as long as none of them changed. */
export function useArtifacts(conversation?: Conversation): readonly Artifact[] {
  return useConversationState(artifactsOf, Object.is, conversation);
}

/** What the agent waits for: answer it with `send(text, { answers: question.messageId })`. */
export function useQuestion(conversation?: Conversation): PendingQuestion | undefined {
  return useConversationState(questionOf, Object.is, conversation);
}
