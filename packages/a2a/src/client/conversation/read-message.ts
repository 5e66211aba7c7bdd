/** Validates messages that come from outside: from a history, a storage, another tab, or the caller. */
import { A2AError, ERRORS, isA2AError } from '../../protocol/errors.js';
import { isObject, type Members } from '../../protocol/is-object.js';
import { textOfParts, textWith } from '../answer-text.js';
import type { ExportedConversation, PlainError, PlainStatus } from './conversation.js';
import type { AgentMessage, ConversationMessage, UserMessage } from './message.js';
import { isArtifact, isListOf, isMessage, isOptional, isPart, isSeq, isTask, isText } from './shapes.js';
import { toPlainError, toPlainStatus, toStatus } from './status.js';

/**
 * Returns the message, unchanged if it is complete, otherwise with defaults for missing fields. Throws INVALID_PARAMS if it is not a
 * message.
 */
export function readMessage(value: unknown): ConversationMessage {
  if (!isObject(value) || typeof value.id !== 'string' || value.id === '') throw bad('a message has no id');
  const { id, parentId = null, createdAt = '', parts } = value;
  if (parentId !== null && typeof parentId !== 'string') throw bad(`the parentId of message ${id} is neither a string nor null`);
  if (typeof createdAt !== 'string' || !isListOf(isPart, parts)) throw bad(`message ${id} has no valid parts or createdAt`);
  const place = { id, parentId, siblings: [], createdAt, parts, text: textOfParts(parts) };
  if (value.role === 'ROLE_USER') return readUser(value, place);
  if (value.role === 'ROLE_AGENT') return readAnswer(value, place);
  throw bad(`the role of message ${id} is neither ROLE_USER nor ROLE_AGENT`);
}

export function readExported(value: unknown): ExportedConversation {
  if (!isObject(value) || !Array.isArray(value.messages)) throw bad('it has no list of messages');
  const { headId, messages } = value;
  if (headId !== undefined && headId !== null && typeof headId !== 'string') throw bad('headId is neither a string nor null');
  const items = messages.map((item: unknown) => {
    if (!isObject(item)) throw bad('an entry of messages is not an object');
    const { parentId = null } = item;
    if (parentId !== null && typeof parentId !== 'string') throw bad('the parentId of a message is neither a string nor null');
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
  if (known === undefined) throw bad(`message ${place.id} has an unknown delivery`);
  if (message !== undefined && !isMessage(message)) throw bad(`the field message of ${place.id} is not an A2A message`);
  const wire = message ?? { messageId: place.id, role: 'ROLE_USER', parts: place.parts };
  return isWhole(value) && value.text === place.text
    ? (value as unknown as UserMessage)
    : { ...place, role: 'ROLE_USER', message: wire, delivery: known }; // each field was checked
}

function readAnswer(value: Members, place: Place): ConversationMessage {
  const { task, seq, said = [], artifacts = [] } = value;
  if (!isOptional(isTask, task)) throw bad(`the task of message ${place.id} is invalid`);
  if (!isSeq(seq) || !isListOf(isMessage, said) || !isListOf(isArtifact, artifacts))
    throw bad(`message ${place.id} has an invalid seq, said or artifacts`);
  const plain = readStatus(value.status);
  if (plain === undefined) throw bad(`message ${place.id} has an unknown status`);
  if (isWhole(value) && isSameError(value.status)) return value as unknown as AgentMessage; // each field was checked
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

/** Whether this version of the library created the message, so that no field is missing. */
function isWhole({ siblings, role, message, artifacts, parentId, createdAt, text }: Members): boolean {
  const isPlaced = Array.isArray(siblings) && parentId !== undefined && createdAt !== undefined && text !== undefined;
  return isPlaced && (role === 'ROLE_USER' ? message !== undefined : artifacts !== undefined);
}

function isSameError(status: unknown): boolean {
  return !isObject(status) || status.reason !== 'error' || isA2AError(status.error);
}

/** undefined: not a valid status. */
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

/** JSON.stringify drops the fields of an Error. Missing fields get defaults, so that there is still an error to show. */
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
  // `hasOwn` proves that the value is a name of the table.
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
  return new A2AError('INVALID_PARAMS', `This is not a valid conversation: ${what}`);
}
