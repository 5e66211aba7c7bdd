/** A conversation as plain JSON, for storages and for tabs that come in late. What is read may have been written by anybody. */
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

/** Version 1. Another version is refused, and overwritten by the next save. */
export interface SavedConversation {
  readonly version: 1;
  /** The thread. */
  readonly id: string;
  /** ISO 8601. */
  readonly savedAt: string;
  readonly contextId?: string;
  readonly headId: string | null;
  /** Oldest first. */
  readonly nodes: readonly RestoredNode[];
}

/** Where a conversation is kept. */
export function savedKey(id: string): string {
  return `${SAVED_PREFIX}${id}`;
}

/** What the keys of all conversations begin with. */
const SAVED_PREFIX = 'parley:conversation:';

export interface SaveOptions {
  readonly id: string;
  readonly savedAt: string;
  /**
   * For storages that have no more room: of answers that are over only what they show is kept. Given up are the artifacts by themselves, the
   * messages by themselves and the history of their tasks.
   */
  readonly isSlim?: boolean;
}

export function toSaved(transcript: Transcript, { id, savedAt, isSlim = false }: SaveOptions): SavedConversation {
  const { contextId, tree } = transcript;
  const all = [...tree.ids].flatMap((nodeId) => toNode(transcript, nodeId, isSlim) ?? []);
  return { version: 1, id, savedAt, ...(contextId !== undefined && { contextId }), headId: tree.headId, nodes: all };
}

/** The same value; its type can not be seen to be JSON, because messages are interfaces. */
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

// A message that did not change is kept as it was: its view is the same object.
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

/** What was kept; throws INVALID_PARAMS that says what is wrong with it. */
export function readSaved(value: unknown): SavedConversation {
  if (!isObject(value)) throw bad('it is no object');
  const { version, id, savedAt, contextId, headId, nodes: list } = value;
  if (version !== 1) throw bad(`its version is ${JSON.stringify(version)?.slice(0, 50)}`);
  if (typeof id !== 'string' || typeof savedAt !== 'string' || !isText(contextId)) throw bad('it does not say which it is');
  if (headId !== null && typeof headId !== 'string') throw bad('its head is no id');
  if (!Array.isArray(list)) throw bad('it has no messages');
  return { version, id, savedAt, ...(contextId !== undefined && { contextId }), headId, nodes: list.map(readNode) };
}

function readNode(value: unknown): RestoredNode {
  if (!isObject(value) || typeof value.id !== 'string' || value.id === '') throw bad('a message has no id');
  const { id, parentId, createdAt, user, answer, sends } = value;
  if (parentId !== null && typeof parentId !== 'string') throw bad(`${id} has no parent that could be one`);
  if (typeof createdAt !== 'string' || !isOptional(isMessage, sends)) throw bad(`${id} has no time, or sends what is no message`);
  const configuration = isConfiguration(value.configuration) ? value.configuration : undefined; // one that nobody can send is none
  const metadata = isMetadata(value.metadata) ? value.metadata : undefined;
  const place = { id, parentId, createdAt, ...definedOnly({ sends, configuration, metadata }) };
  if (isObject(user)) return { ...place, user: readUser(user, id) };
  if (isObject(answer)) return { ...place, answer: readAnswer(answer, id) };
  throw bad(`${id} is neither of the user nor of the agent`);
}

function readUser({ message, delivery, parts }: Members, id: string): { message: Message; delivery: UserMessage['delivery'] } {
  const known = toDelivery(delivery);
  if (!isMessage(message) || known === undefined || !isParts(parts)) throw bad(`${id} is no message`);
  return { message, delivery: known, ...(parts !== undefined && { parts }) };
}

function readAnswer(value: Members, id: string): AnswerParts {
  const { task, seq, said, blocks, parts, text, artifacts, whole } = value;
  const status = readStatus(value.status);
  if (status === undefined || !isOptional(isTask, task) || !isSeq(seq)) throw bad(`${id} has no status, or a task that is none`);
  if (said !== undefined && !isListOf(isMessage, said)) throw bad(`${id} says what is no message`);
  if (!isText(text)) throw bad(`${id} has a text that is none`);
  if (!isTexts(whole)) throw bad(`${id} has artifacts without ids`);
  if (!isParts(parts) || (blocks !== undefined && !isListOf(isBlock, blocks))) throw bad(`${id} shows what can not be shown`);
  if (artifacts !== undefined && !isTask({ id, status: { state: 'TASK_STATE_WORKING' }, artifacts }))
    throw bad(`${id} has artifacts that are none`);
  // The check of a whole task has looked at the artifacts.
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
  return new A2AError('INVALID_PARAMS', `What was kept of the conversation can not be read: ${what}`);
}
