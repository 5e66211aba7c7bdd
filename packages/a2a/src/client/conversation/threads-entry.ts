/** The stored entry of a thread, besides its conversation, and the summary that lists show. */
import { cutText } from '../../protocol/cut-text.js';
import { isObject } from '../../protocol/is-object.js';
import type { JsonObject, Part } from '../../protocol/types.js';
import type { ConversationState } from './conversation.js';
import type { ConversationMessage } from './message.js';

/** One entry of a thread list: the title, the time and a preview of a conversation. */
export interface ThreadSummary {
  readonly id: string;
  /** The first user message, or the title that the user chose; empty before either exists. */
  readonly title: string;
  /** ISO 8601 time of the last message. Lists are sorted by it, newest first. */
  readonly updatedAt: string;
  /** The start of the last complete message. */
  readonly preview?: string;
  /** true: the agent has asked a question. */
  readonly waits: boolean;
  readonly isRunning: boolean;
}

/** The stored form of a thread. */
export interface ThreadEntry extends ThreadSummary {
  /** true: the user chose the title. */
  readonly isRenamed: boolean;
}

const MAX_TITLE = 80;
const MAX_PREVIEW = 160;

/** Derives the entry from the conversation. Text of an answer that is still streaming is left out, so that lists do not flicker. */
export function summarize(entry: ThreadEntry, { messages, isRunning, question }: ConversationState): ThreadEntry {
  const whole = isRunning ? messages.findLast(({ role }) => role === 'ROLE_USER') : messages.at(-1);
  const first = messages.find(({ role }) => role === 'ROLE_USER');
  const preview = oneLine(whole, MAX_PREVIEW);
  const { preview: _, ...rest } = entry;
  return {
    ...rest,
    title: entry.isRenamed ? entry.title : oneLine(first, MAX_TITLE),
    updatedAt: messages.at(-1)?.createdAt ?? entry.updatedAt,
    ...(preview !== '' && { preview }),
    waits: question !== undefined,
    isRunning,
  };
}

/** Sets the user's title. An empty title removes it, and the thread gets its default title again. */
export function renamed(entry: ThreadEntry, title: string): ThreadEntry {
  const own = squeeze(title, MAX_TITLE);
  return { ...entry, title: own, isRenamed: own !== '' };
}

export function isSameEntry(a: ThreadEntry, b: ThreadEntry): boolean {
  const isSameText = a.title === b.title && a.preview === b.preview && a.updatedAt === b.updatedAt;
  return isSameText && a.id === b.id && a.isRenamed === b.isRenamed && a.waits === b.waits && a.isRunning === b.isRunning;
}

export function toKept(entry: ThreadEntry): JsonObject {
  return { ...entry, version: VERSION };
}

const VERSION = 1;

/** undefined: the value is not a thread of this version. */
export function readEntry(id: string, kept: unknown): ThreadEntry | undefined {
  if (!isObject(kept) || kept.version !== VERSION || kept.id !== id) return undefined;
  const { title, updatedAt, preview, waits, isRunning, isRenamed } = kept;
  if (typeof title !== 'string' || typeof updatedAt !== 'string' || Number.isNaN(Date.parse(updatedAt))) return undefined;
  if (typeof waits !== 'boolean' || typeof isRunning !== 'boolean' || typeof isRenamed !== 'boolean') return undefined;
  if (preview !== undefined && typeof preview !== 'string') return undefined;
  return { id, title, updatedAt, waits, isRunning, isRenamed, ...(preview !== undefined && { preview }) };
}

export function byTime(a: ThreadSummary, b: ThreadSummary): number {
  if (a.updatedAt === b.updatedAt) return a.id < b.id ? -1 : 1;
  return a.updatedAt < b.updatedAt ? 1 : -1;
}

function oneLine(message: ConversationMessage | undefined, max: number): string {
  let text = '';
  for (const part of message?.parts ?? []) {
    text += nameOf(part);
    if (text.length > LOOK_AT) break;
  }
  return squeeze(text, max);
}

/** The first 2,000 characters are enough for one line, however long the message is. */
const LOOK_AT = 2_000;

function nameOf({ text, filename }: Part): string {
  return (text ?? filename ?? '').slice(0, LOOK_AT);
}

function squeeze(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${cutText(line, max - 1).trimEnd()}…`;
}
