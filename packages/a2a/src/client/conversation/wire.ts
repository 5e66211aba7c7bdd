/** Where a message goes, and what goes out for it. */
import { A2AError, type ErrorReason } from '../../protocol/errors.js';
import type { Message } from '../../protocol/types.js';
import type { TurnRequest } from './conversation.js';
import type { UserMessage } from './message.js';
import type { Transcript } from './transcript.js';

/** What a turn needs beside its answer. */
export interface Beginning {
  readonly answerId: string;
  /** What goes out. */
  readonly message: Message;
  readonly userId: string;
  readonly request: TurnRequest;
}

/** Behind which message it goes: one that is not known counts as the last that is shown. */
export function parentFor({ tree }: Transcript, parentId: string | null | undefined): string | null {
  if (parentId === null) return null;
  return parentId !== undefined && tree.has(parentId) ? parentId : tree.headId;
}

/** Two tabs may answer the same question: the second is told. */
export function checkOpen(transcript: Transcript, question: string, parentId: string | null): void {
  const isAsked = parentId !== null && openQuestion(transcript, parentId) === question;
  if (isAsked && !isBeingAnswered(transcript, question)) return;
  throw new A2AError('INVALID_REQUEST', 'The question has been answered already');
}

function isBeingAnswered(transcript: Transcript, question: string): boolean {
  const taskId = transcript.answer(question)?.taskId;
  return [...transcript.tree.ids].some((id) => {
    const user = transcript.user(id);
    if (user?.delivery !== 'sending') return false;
    return user.parentId === question || (taskId !== undefined && user.message.taskId === taskId);
  });
}

/** Which answer waits for the message that goes behind this one: itself, or the one before answers to it that never came. */
export function openQuestion(transcript: Transcript, messageId: string): string | undefined {
  let at: string | null | undefined = messageId;
  const tasks: (string | undefined)[] = [];
  while (typeof at === 'string') {
    const answer = transcript.answer(at);
    if (answer?.status.type === 'requires-action') return tasks.every((taskId) => taskId === answer.taskId) ? at : undefined;
    const user = lostAnswer(transcript, at);
    if (user?.message.taskId === undefined) return undefined;
    tasks.push(user.message.taskId);
    at = user.parentId;
  }
  return undefined;
}

/** What an agent says that has the message, and will not take it for this task: to name the task again would be refused again. */
const REFUSALS: readonly ErrorReason[] = ['TASK_NOT_FOUND', 'UNSUPPORTED_OPERATION', 'INVALID_REQUEST', 'INVALID_PARAMS'];

/** The message of the user that did not get through, where this is what stands for its answer. */
function lostAnswer(transcript: Transcript, answerId: string): UserMessage | undefined {
  const answer = transcript.answer(answerId);
  const parentId = transcript.tree.parentOf(answerId);
  const user = typeof parentId === 'string' ? transcript.user(parentId) : undefined;
  if (answer?.status.type !== 'incomplete' || answer.taskId !== undefined || user?.delivery !== 'failed') return undefined;
  if (answer.status.reason === 'error' && REFUSALS.includes(answer.status.error.reason)) return undefined;
  return transcript.message(answerId)?.parts.length === 0 ? user : undefined;
}

/** The message of the user that stands at this place, or last before it. */
export function nearestUser(transcript: Transcript, messageId: string): UserMessage | undefined {
  const id = transcript.tree.pathTo(messageId).findLast((at) => transcript.user(at) !== undefined);
  return id === undefined ? undefined : transcript.user(id);
}

/** What is said beside a message that is sent again: what its turn said, or for a message of the user the turn of its last answer. */
export function requestFor(transcript: Transcript, messageId: string): TurnRequest {
  if (transcript.answer(messageId) !== undefined) return transcript.request(messageId);
  const last = transcript.tree.childrenOf(messageId).at(-1);
  return last === undefined ? {} : transcript.request(last);
}

/** The task is named only when the message goes behind an answer that waits, or one to it that never came: all else begins a task of its own. */
export function toWire(transcript: Transcript, message: Message, parentId: string | null): Message {
  const { taskId: _task, contextId: _context, ...rest } = message;
  const question = parentId === null ? undefined : openQuestion(transcript, parentId);
  const taskId = question === undefined ? undefined : transcript.answer(question)?.taskId;
  const { contextId } = transcript;
  return { ...rest, ...(taskId !== undefined && { taskId }), ...(contextId !== undefined && { contextId }) };
}
