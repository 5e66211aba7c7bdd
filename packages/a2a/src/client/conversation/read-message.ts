/** Messages of a conversation that come from outside: from a history, a storage, another tab, or the caller. */
import { A2AError, ERRORS, isA2AError } from '../../protocol/errors.js';
import { isObject, type Members } from '../../protocol/is-object.js';
import { textOfParts, textWith } from '../answer-text.js';
import type { ExportedConversation, PlainError, PlainStatus } from './conversation.js';
import type { AgentMessage, ConversationMessage, UserMessage } from './message.js';
import { isArtifact, isListOf, isMessage, isOptional, isPart, isSeq, isTask, isText } from './shapes.js';
import { toPlainError, toPlainStatus, toStatus } from './status.js';

/** The message as it is meant; throws INVALID_PARAMS where it is none. One that fits is given back as it is. */
export function readMessage(value: unknown): ConversationMessage {
  if (!isObject(value) || typeof value.id !== 'string' || value.id === '') throw bad('a message has no id');
  const { id, parentId = null, createdAt = '', parts } = value;
  if (parentId !== null && typeof parentId !== 'string') throw bad(`${id} has no parent that could be one`);
  if (typeof createdAt !== 'string' || !isListOf(isPart, parts)) throw bad(`${id} has no parts, or no time`);
  const place = { id, parentId, siblings: [], createdAt, parts, text: textOfParts(parts) };
  if (value.role === 'ROLE_USER') return readUser(value, place);
  if (value.role === 'ROLE_AGENT') return readAnswer(value, place);
  throw bad(`${id} is neither of the user nor of the agent`);
}

export function readExported(value: unknown): ExportedConversation {
  if (!isObject(value) || !Array.isArray(value.messages)) throw bad('it has no list of messages');
  const { headId, messages } = value;
  if (headId !== undefined && headId !== null && typeof headId !== 'string') throw bad('its head is no id');
  const items = messages.map((item: unknown) => {
    if (!isObject(item)) throw bad('one of its messages is none');
    const { parentId = null } = item;
    if (parentId !== null && typeof parentId !== 'string') throw bad('a message has no parent that could be one');
    return { parentId, message: readMessage(item.message) };
  });
  return { ...(headId !== undefined && { headId }), messages: items };
}

type Place = Pick<UserMessage, 'id' | 'parentId' | 'siblings' | 'createdAt' | 'parts' | 'text'>;

const DELIVERIES: readonly UserMessage['delivery'][] = ['sending', 'sent', 'unknown', 'failed', 'local'];

export function toDelivery(value: unknown): UserMessage['delivery'] | undefined {
  return DELIVERIES.find((delivery) => delivery === value);
}

function readUser(value: Members, place: Place): ConversationMessage {
  const { message, delivery = 'sent' } = value;
  const known = toDelivery(delivery);
  if (known === undefined) throw bad(`${place.id} has an unknown delivery`);
  if (message !== undefined && !isMessage(message)) throw bad(`${place.id} has a message that is none`);
  const wire = message ?? { messageId: place.id, role: 'ROLE_USER', parts: place.parts };
  return isWhole(value) && value.text === place.text
    ? (value as unknown as UserMessage)
    : { ...place, role: 'ROLE_USER', message: wire, delivery: known }; // each member was looked at
}

function readAnswer(value: Members, place: Place): ConversationMessage {
  const { task, seq, said = [], artifacts = [] } = value;
  if (!isOptional(isTask, task)) throw bad(`the task of ${place.id} is none`);
  if (!isSeq(seq) || !isListOf(isMessage, said) || !isListOf(isArtifact, artifacts)) throw bad(`${place.id} says what can not be read`);
  const plain = readStatus(value.status);
  if (plain === undefined) throw bad(`${place.id} has an unknown status`);
  if (isWhole(value) && isSameError(value.status)) return value as unknown as AgentMessage; // each member was looked at
  return {
    ...place,
    text: textWith(place.parts, value.text),
    role: 'ROLE_AGENT',
    status: toStatus(plain, () => task),
    task,
    seq,
    said,
    artifacts,
  };
}

/** As this version makes them: nothing has to be filled in. */
function isWhole({ siblings, role, message, artifacts, parentId, createdAt, text }: Members): boolean {
  const isPlaced = Array.isArray(siblings) && parentId !== undefined && createdAt !== undefined && text !== undefined;
  return isPlaced && (role === 'ROLE_USER' ? message !== undefined : artifacts !== undefined);
}

function isSameError(status: unknown): boolean {
  return !isObject(status) || status.reason !== 'error' || isA2AError(status.error);
}

/** undefined: it is none. */
export function readStatus(value: unknown): PlainStatus | undefined {
  if (!isObject(value)) return undefined;
  const { type, reason, want, prompt } = value;
  if (type === 'running') return { type };
  if (type === 'complete') return { type, reason: 'stop' };
  if (type === 'incomplete' && reason === 'error') return { type, reason, error: readError(value.error) };
  if (type === 'incomplete') return { type, reason: 'cancelled' };
  if (type !== 'requires-action' || (want !== 'input' && want !== 'auth') || typeof prompt !== 'string') return undefined;
  return { type, reason: 'interrupt', want, prompt };
}

/** Errors lose their words when they are written as JSON: then there is at least an error. */
export function readError(value: unknown): PlainError {
  if (isA2AError(value)) return toPlainError(value);
  const given: Members = isObject(value) ? value : {};
  const reason = toReason(given.reason);
  return {
    name: typeof given.name === 'string' ? given.name : 'A2AError',
    message: typeof given.message === 'string' ? given.message : 'The answer failed',
    reason,
    retryable: typeof given.retryable === 'boolean' ? given.retryable : ERRORS[reason].retryable,
    ...(isText(given.httpStatus) || typeof given.httpStatus !== 'number' ? {} : { httpStatus: given.httpStatus }),
  };
}

function toReason(value: unknown): PlainError['reason'] {
  // The table's own names are what the type is made of.
  return typeof value === 'string' && Object.hasOwn(ERRORS, value) ? (value as PlainError['reason']) : 'INTERNAL_ERROR';
}

/** As plain JSON. */
export function toPlainMessage(message: ConversationMessage): object {
  return message.role === 'ROLE_USER' ? message : { ...message, status: toPlainStatus(message.status) };
}

export function toPlainExported({ headId, messages }: ExportedConversation): object {
  return { headId, messages: messages.map(({ parentId, message }) => ({ parentId, message: toPlainMessage(message) })) };
}

function bad(what: string): A2AError {
  return new A2AError('INVALID_PARAMS', `This is no conversation: ${what}`);
}
