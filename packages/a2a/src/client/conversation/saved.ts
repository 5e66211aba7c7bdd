/** A conversation as plain JSON, for storages and for tabs that join later. Stored data is untrusted: every field is checked on reading. */
import { definedOnly } from '../../platform/defined-only.js';
import { A2AError } from '../../protocol/errors.js';
import { isObject, type Members } from '../../protocol/is-object.js';
import type { JsonValue, Message, Part } from '../../protocol/types.js';
import { textBeside } from '../answer-text.js';
import type { AnswerParts } from './answer.js';
import type { KeptBlock } from './content.js';
import type { AgentMessage, ConversationMessage, UserMessage } from './message.js';
import { readStatus, toDelivery } from './read-message.js';
import { isConfiguration, isListOf, isMessage, isMetadata, isOptional, isPart, isSeq, isTask, isText, isTexts } from './shapes.js';
import type { RestoredNode, Transcript } from './transcript.js';

/** Format version 1. Other versions are refused, and overwritten by the next save. */
export interface SavedConversation {
  readonly version: 1;
  /** The id of the thread. */
  readonly id: string;
  /** ISO 8601. */
  readonly savedAt: string;
  readonly contextId?: string;
  readonly headId: string | null;
  /** Oldest first. */
  readonly nodes: readonly RestoredNode[];
}

/** The storage key of a conversation. */
export function savedKey(id: string): string {
  return `${SAVED_PREFIX}${id}`;
}

/** The prefix of the keys of all conversations. */
const SAVED_PREFIX = 'parley:conversation:';

export interface SaveOptions {
  readonly id: string;
  readonly savedAt: string;
  /**
   * For a storage without enough space: finished answers keep only their displayed content. Their separate artifacts and messages and the
   * history of their tasks are dropped.
   */
  readonly isSlim?: boolean;
}

export function toSaved(transcript: Transcript, { id, savedAt, isSlim = false }: SaveOptions): SavedConversation {
  const { contextId, tree } = transcript;
  const all = [...tree.ids].flatMap((nodeId) => toNode(transcript, nodeId, isSlim) ?? []);
  return { version: 1, id, savedAt, ...(contextId !== undefined && { contextId }), headId: tree.headId, nodes: all };
}

/** Returns the same value. TypeScript cannot see that messages are JSON, because they are interfaces. */
export function toJson(value: object): JsonValue {
  return value as JsonValue;
}

function toNode(transcript: Transcript, id: string, isSlim: boolean): RestoredNode | undefined {
  const message = transcript.message(id);
  if (message === undefined) return undefined;
  const known = isSlim ? undefined : nodes.get(message);
  if (known !== undefined) return known;
  const node = makeNode(transcript, message, isSlim);
  if (node !== undefined && !isSlim) nodes.set(message, node);
  return node;
}

// A message that did not change has the same view object, so its saved form is reused.
const nodes = new WeakMap<ConversationMessage, RestoredNode>();

function makeNode(transcript: Transcript, message: ConversationMessage, isSlim: boolean): RestoredNode | undefined {
  const { id, parentId, createdAt } = message;
  if (message.role === 'ROLE_USER') {
    const { message: wire, delivery, parts } = message;
    return { id, parentId, createdAt, user: { message: wire, delivery, ...(parts !== wire.parts && { parts }) } };
  }
  const kept = transcript.answer(id)?.keep();
  const sends = transcript.sends(id);
  if (kept === undefined) return undefined;
  const answer = definedOnly(isSlim && isOver(kept) ? slim(kept, message) : kept);
  return { id, parentId, createdAt, answer, ...(sends !== undefined && { sends }), ...transcript.request(id) };
}

function isOver({ status }: AnswerParts): boolean {
  return status.type === 'complete' || status.type === 'incomplete';
}

function slim({ status, task, seq }: AnswerParts, message: AgentMessage): AnswerParts {
  const { parts } = message;
  const shown = definedOnly({ parts, text: textBeside(parts, message.text) });
  if (task === undefined) return { status, seq, ...shown };
  const { artifacts: _made, history: _past, ...rest } = task;
  return { status, seq, ...shown, task: rest };
}

/** Returns the saved conversation. Throws INVALID_PARAMS with the first invalid field. */
export function readSaved(value: unknown): SavedConversation {
  if (!isObject(value)) throw bad('it is not an object');
  const { version, id, savedAt, contextId, headId, nodes: list } = value;
  if (version !== 1) throw bad(`its version is ${JSON.stringify(version)?.slice(0, 50)}, expected 1`);
  if (typeof id !== 'string' || typeof savedAt !== 'string' || !isText(contextId)) throw bad('id, savedAt or contextId is invalid');
  if (headId !== null && typeof headId !== 'string') throw bad('headId is neither a string nor null');
  if (!Array.isArray(list)) throw bad('nodes is not a list');
  return { version, id, savedAt, ...(contextId !== undefined && { contextId }), headId, nodes: list.map(readNode) };
}

function readNode(value: unknown): RestoredNode {
  if (!isObject(value) || typeof value.id !== 'string' || value.id === '') throw bad('a message has no id');
  const { id, parentId, createdAt, user, answer, sends } = value;
  if (parentId !== null && typeof parentId !== 'string') throw bad(`the parentId of message ${id} is neither a string nor null`);
  if (typeof createdAt !== 'string' || !isOptional(isMessage, sends)) throw bad(`message ${id} has an invalid createdAt or sends`);
  const configuration = isConfiguration(value.configuration) ? value.configuration : undefined; // an invalid configuration cannot be sent
  const metadata = isMetadata(value.metadata) ? value.metadata : undefined;
  const place = { id, parentId, createdAt, ...definedOnly({ sends, configuration, metadata }) };
  if (isObject(user)) return { ...place, user: readUser(user, id) };
  if (isObject(answer)) return { ...place, answer: readAnswer(answer, id) };
  throw bad(`message ${id} has neither user nor answer`);
}

function readUser({ message, delivery, parts }: Members, id: string): { message: Message; delivery: UserMessage['delivery'] } {
  const known = toDelivery(delivery);
  if (!isMessage(message) || known === undefined || !isParts(parts)) throw bad(`the user message ${id} is invalid`);
  return { message, delivery: known, ...(parts !== undefined && { parts }) };
}

function readAnswer(value: Members, id: string): AnswerParts {
  const { task, seq, said, blocks, parts, text, artifacts, whole } = value;
  const status = readStatus(value.status);
  if (status === undefined || !isOptional(isTask, task) || !isSeq(seq)) throw bad(`message ${id} has an invalid status, task or seq`);
  if (said !== undefined && !isListOf(isMessage, said)) throw bad(`message ${id} has an invalid entry in said`);
  if (!isText(text)) throw bad(`the text of message ${id} is not a string`);
  if (!isTexts(whole)) throw bad(`message ${id} has an invalid entry in whole`);
  if (!isParts(parts) || (blocks !== undefined && !isListOf(isBlock, blocks))) throw bad(`message ${id} has invalid parts or blocks`);
  if (artifacts !== undefined && !isTask({ id, status: { state: 'TASK_STATE_WORKING' }, artifacts }))
    throw bad(`message ${id} has invalid artifacts`);
  // `isTask` has checked the artifacts.
  return definedOnly({ status, task, seq, said, blocks, parts, text, whole, artifacts: artifacts as AnswerParts['artifacts'] });
}

function isBlock(value: unknown): value is KeptBlock {
  if (!isObject(value)) return false;
  const { said, artifactId, parts } = value;
  if (artifactId === undefined) return typeof said === 'number' && Number.isSafeInteger(said) && said >= 0;
  return typeof artifactId === 'string' && said === undefined && isParts(parts);
}

function isParts(value: unknown): value is readonly Part[] | undefined {
  return value === undefined || isListOf(isPart, value);
}

function bad(what: string): A2AError {
  return new A2AError('INVALID_PARAMS', `The saved conversation cannot be read: ${what}`);
}
