/** Builds the state of a conversation for its readers. */
import type { AgentCard, Artifact, Task } from '../../protocol/types.js';
import type { ConversationState, PendingQuestion } from './conversation.js';
import type { AgentMessage, ConversationMessage } from './message.js';
import type { Transcript } from './transcript.js';
import { openQuestion } from './wire.js';

/** The fields of the state that do not come from the transcript. */
export interface Surroundings {
  readonly id: string;
  readonly isLoading: boolean;
  readonly card: AgentCard | undefined;
  readonly isLeader: boolean;
}

const NO_ARTIFACTS: readonly Artifact[] = Object.freeze([]);

/** Builds the current state. Values that did not change keep their identity. */
export function toState(transcript: Transcript, surroundings: Surroundings, before: ConversationState | undefined): ConversationState {
  const { messages, isRunning, contextId, connection, isCleared } = transcript;
  const last = isCleared ? undefined : lastAnswer(messages);
  const question = sameQuestion(before?.question, questionOf(transcript, messages.at(-1)?.id));
  return Object.freeze({
    ...surroundings,
    messages,
    isRunning,
    contextId,
    connection,
    question,
    // Built on read, because a long task is costly to build.
    get task(): Task | undefined {
      return last?.task;
    },
    get artifacts(): readonly Artifact[] {
      return last?.artifacts ?? NO_ARTIFACTS;
    },
  });
}

function lastAnswer(messages: readonly ConversationMessage[]): AgentMessage | undefined {
  return messages.findLast((message) => message.role === 'ROLE_AGENT');
}

function questionOf(transcript: Transcript, lastId: string | undefined): PendingQuestion | undefined {
  const messageId = lastId === undefined ? undefined : openQuestion(transcript, lastId);
  const answer = messageId === undefined ? undefined : transcript.answer(messageId);
  if (messageId === undefined || answer?.status.type !== 'requires-action') return undefined;
  const { want, prompt } = answer.status;
  return { messageId, want, prompt, message: answer.taskStatus?.message };
}

function sameQuestion(before: PendingQuestion | undefined, now: PendingQuestion | undefined): PendingQuestion | undefined {
  if (before === undefined || now === undefined) return now;
  const isSame =
    before.messageId === now.messageId && before.want === now.want && before.prompt === now.prompt && before.message === now.message;
  return isSame ? before : now;
}
