/** The earlier conversation in a context: the messages of its tasks, and the artifacts of every other task as one message. */
import type { TaskDraft } from '../../protocol/apply-event.js';
import { readFailure } from '../../protocol/read-failure.js';
import { joinTextParts } from '../../protocol/text-parts.js';
import type { Artifact, Message, Part } from '../../protocol/types.js';
import type { StoredTask } from '../../stores/store.js';
import { foldStored } from '../log/entries.js';
import type { EarlierMessage, EarlierText } from './executor.js';

export interface ConversationParts {
  /** The newest messages of the context, oldest first, task by task, as stored. */
  readonly texts: readonly string[];
  /** The task and the message of this turn: the message is left out, and the artifacts of this task are not an earlier answer. */
  readonly current: { readonly taskId: string; readonly messageId: string };
  readonly limit: number;
  readonly maxBytes: number;
  load(taskId: string): Promise<StoredTask | undefined>;
}

/** Tasks that are loaded at once; the oldest may not be needed. */
const TASKS_AT_ONCE = 8;
const MAX_RAW_BYTES = 64 * 1024;

/** Returns the newest messages that fit into the limits, oldest first. */
export async function readConversation(parts: ConversationParts): Promise<readonly EarlierMessage[]> {
  const { current, limit, maxBytes, load } = parts;
  const tasks = byTask(withoutCurrent(parts));
  const found: EarlierMessage[] = [];
  let bytes = 0;
  for (let at = 0; at < tasks.length; at += TASKS_AT_ONCE) {
    const some = tasks.slice(at, at + TASKS_AT_ONCE);
    const loaded = await Promise.all(some.map(({ taskId }) => (taskId === current.taskId ? undefined : load(taskId))));
    for (const message of some.flatMap((task, index) => newestFirst(task, loaded[index]))) {
      const short = { ...message, parts: message.parts.map(withoutLargeRaw) };
      bytes += new TextEncoder().encode(JSON.stringify(short)).length;
      if (found.length >= limit || bytes > maxBytes) return found.reverse();
      found.push(short);
    }
  }
  return found.reverse();
}

/** Reduces the messages to their text. Messages without text are left out, because models refuse empty ones. */
export function toEarlierTexts(messages: readonly EarlierMessage[]): readonly EarlierText[] {
  return messages.flatMap(({ role, parts }): EarlierText[] => {
    const text = parts.flatMap((part) => part.text ?? []).join('\n');
    return text === '' ? [] : [{ role: role === 'ROLE_AGENT' ? 'agent' : 'user', text }];
  });
}

/** Matches the last occurrence, because other tasks and this one may contain the same message id. */
function withoutCurrent({ texts, current }: ConversationParts): readonly Message[] {
  const messages = texts.map((text): Message => JSON.parse(text));
  const at = messages.findLastIndex(({ taskId, messageId }) => taskId === current.taskId && messageId === current.messageId);
  return messages.filter((_, index) => index !== at);
}

interface TaskMessages {
  readonly taskId: string;
  /** Newest first. */
  readonly messages: EarlierMessage[];
}

/**
 * Groups the messages by task, newest task first. The history of a raw Task may contain messages without a task id; the caller's message
 * comes after them and names their task.
 */
function byTask(messages: readonly Message[]): readonly TaskMessages[] {
  const tasks: TaskMessages[] = [];
  for (const message of messages.toReversed()) {
    const last = tasks.at(-1);
    const taskId = message.taskId ?? last?.taskId ?? '';
    if (last?.taskId === taskId) last.messages.push({ ...message, taskId });
    else tasks.push({ taskId, messages: [{ ...message, taskId }] });
  }
  return tasks;
}

/** The artifacts of a task come before the message of its current status, which is its final message or its question. */
function newestFirst({ taskId, messages }: TaskMessages, stored: StoredTask | undefined): readonly EarlierMessage[] {
  const draft = stored && foldStored(stored);
  if (draft !== undefined && isFailedCall(draft)) return [];
  const parts = draft?.artifacts.flatMap(({ parts }: Artifact) => joinTextParts(parts)) ?? [];
  if (draft === undefined || parts.length === 0) return messages;
  const { contextId, status } = draft;
  const made: EarlierMessage = {
    messageId: `${taskId}-artifacts`,
    ...(contextId !== undefined && { contextId }),
    taskId,
    role: 'ROLE_AGENT',
    parts,
  };
  const [newest, ...older] = messages;
  const isStatus = newest?.role === 'ROLE_AGENT' && newest.messageId === status.message?.messageId;
  return newest !== undefined && isStatus ? [newest, made, ...older] : [made, ...messages];
}

/** The task failed before its executor published anything (D43). The client repeats such a call, so its message would appear twice. */
function isFailedCall(draft: TaskDraft): boolean {
  const { status, artifacts, history } = draft;
  if (status.state !== 'TASK_STATE_FAILED' || readFailure(draft)?.unpublished !== true) return false;
  return artifacts.length === 0 && history.every(({ role }) => role === 'ROLE_USER');
}

/** A large file, which a model cannot read anyway, would push out older messages. */
function withoutLargeRaw(part: Part): Part {
  const { raw, filename, mediaType, metadata } = part;
  const size = raw === undefined ? 0 : bytesOf(raw);
  if (size <= MAX_RAW_BYTES) return part;
  const about = { ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }), size };
  return { data: about, mediaType: 'application/json', ...(metadata && { metadata }) };
}

/** Number of bytes that a base64 text encodes. */
function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/={0,2}$/, '').length * 3) / 4);
}
