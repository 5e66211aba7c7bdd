/** Determines the place of a message in the tree, and the A2A message that is sent for it. */
import { A2AError, type ErrorReason } from '../../protocol/errors.js';
import type { Message } from '../../protocol/types.js';
import type { TurnRequest } from './conversation.js';
import type { UserMessage } from './message.js';
import type { Transcript } from './transcript.js';

/** The data to start an answer. */
export interface Beginning {
  readonly answerId: string;
  /** The message to send. */
  readonly message: Message;
  readonly userId: string;
  readonly request: TurnRequest;
}

/** The parent of a new message. An unknown id counts as the last visible message. */
export function parentFor({ tree }: Transcript, parentId: string | null | undefined): string | null {
  if (parentId === null) return null;
  return parentId !== undefined && tree.has(parentId) ? parentId : tree.headId;
}

/** Throws if the question is not open any more: two tabs may answer the same question. */
export function checkOpen(transcript: Transcript, question: string, parentId: string | null): void {
  const isAsked = parentId !== null && openQuestion(transcript, parentId) === question;
  if (isAsked && !isBeingAnswered(transcript, question)) return;
  throw new A2AError('INVALID_REQUEST', 'The question has been answered already; send without answers to start a new message');
}

function isBeingAnswered(transcript: Transcript, question: string): boolean {
  const taskId = transcript.answer(question)?.taskId;
  return [...transcript.tree.ids].some((id) => {
    const user = transcript.user(id);
    if (user?.delivery !== 'sending') return false;
    return user.parentId === question || (taskId !== undefined && user.message.taskId === taskId);
  });
}

/** The open question that a message after `messageId` would answer. Replies that never reached the agent may stand between the two. */
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

/** Errors of an agent that received the message but refuses it for this task. The same task id would be refused again. */
const REFUSALS: readonly ErrorReason[] = ['TASK_NOT_FOUND', 'UNSUPPORTED_OPERATION', 'INVALID_REQUEST', 'INVALID_PARAMS'];

/** The user message that did not reach the agent, if `answerId` is the empty answer to it. */
function lostAnswer(transcript: Transcript, answerId: string): UserMessage | undefined {
  const answer = transcript.answer(answerId);
  const parentId = transcript.tree.parentOf(answerId);
  const user = typeof parentId === 'string' ? transcript.user(parentId) : undefined;
  if (answer?.status.type !== 'incomplete' || answer.taskId !== undefined || user?.delivery !== 'failed') return undefined;
  if (answer.status.reason === 'error' && REFUSALS.includes(answer.status.error.reason)) return undefined;
  return transcript.message(answerId)?.parts.length === 0 ? user : undefined;
}

/** The user message with this id, or the last one before it. */
export function nearestUser(transcript: Transcript, messageId: string): UserMessage | undefined {
  const id = transcript.tree.pathTo(messageId).findLast((at) => transcript.user(at) !== undefined);
  return id === undefined ? undefined : transcript.user(id);
}

/** The settings for a repeated send: those of the given answer, or of the last answer to the given user message. */
export function requestFor(transcript: Transcript, messageId: string): TurnRequest {
  if (transcript.answer(messageId) !== undefined) return transcript.request(messageId);
  const last = transcript.tree.childrenOf(messageId).at(-1);
  return last === undefined ? {} : transcript.request(last);
}

/** The message as it is sent. It names a task only if it answers an open question; every other message starts a new task. */
export function toWire(transcript: Transcript, message: Message, parentId: string | null): Message {
  const { taskId: _task, contextId: _context, ...rest } = message;
  const question = parentId === null ? undefined : openQuestion(transcript, parentId);
  const taskId = question === undefined ? undefined : transcript.answer(question)?.taskId;
  const { contextId } = transcript;
  return { ...rest, ...(taskId !== undefined && { taskId }), ...(contextId !== undefined && { contextId }) };
}
