/** Where a message goes, and what goes out for it. */
import { A2AError } from '../../protocol/errors.js';
import type { Message, SendMessageConfiguration } from '../../protocol/types.js';
import type { UserMessage } from './message.js';
import type { Transcript } from './transcript.js';

/** Behind which message it goes: one that is not known counts as the last that is shown. */
export function parentFor({ tree }: Transcript, parentId: string | null | undefined): string | null {
  if (parentId === null) return null;
  return parentId !== undefined && tree.has(parentId) ? parentId : tree.headId;
}

/** Two tabs may answer the same question: the second is told. */
export function checkOpen(transcript: Transcript, question: string, parentId: string | null): void {
  const isAsked = transcript.answer(question)?.status.type === 'requires-action' && parentId === question;
  const isBeingAnswered = transcript.tree.childrenOf(question).some((id) => transcript.user(id)?.delivery === 'sending');
  if (isAsked && !isBeingAnswered) return;
  throw new A2AError('INVALID_REQUEST', 'The question has been answered already');
}

/** The message of the user that stands at this place, or last before it. */
export function nearestUser(transcript: Transcript, messageId: string): UserMessage | undefined {
  const id = transcript.tree.pathTo(messageId).findLast((at) => transcript.user(at) !== undefined);
  return id === undefined ? undefined : transcript.user(id);
}

/** What is said beside a message that is sent again: what its turn said, or for a message of the user the turn of its last answer. */
export function configurationFor(transcript: Transcript, messageId: string): SendMessageConfiguration | undefined {
  if (transcript.answer(messageId) !== undefined) return transcript.configuration(messageId);
  const last = transcript.tree.childrenOf(messageId).at(-1);
  return last === undefined ? undefined : transcript.configuration(last);
}

/** The task is named only when the message goes behind an answer that waits: everything else begins a task of its own. */
export function toWire(transcript: Transcript, message: Message, parentId: string | null): Message {
  const { taskId: _task, contextId: _context, ...rest } = message;
  const before = parentId === null ? undefined : transcript.answer(parentId);
  const taskId = before?.status.type === 'requires-action' ? before.taskId : undefined;
  const { contextId } = transcript;
  return { ...rest, ...(taskId !== undefined && { taskId }), ...(contextId !== undefined && { contextId }) };
}
