/** Describes each event in one line: seq, kind, and the new content. */

import { sizeOfJson } from '../artifacts/files.js';
import { visibleName } from '../content/visible-text.js';
import { formatDuration, shortId, shortState } from '../ui/format.js';
import type { ConversationEvent, Part } from '../ui/types.js';

interface EventLine {
  readonly seq: number | undefined;
  readonly kind: string;
  readonly about: string;
  readonly bytes: number;
  /** The event reports a failure. */
  readonly isAlarm: boolean;
}

const known = new WeakMap<ConversationEvent, EventLine>();

/** Computed on demand and cached: most of a hundred thousand events are never displayed. */
export function describeEvent(event: ConversationEvent): EventLine {
  const line = known.get(event) ?? makeLine(event);
  known.set(event, line);
  return line;
}

function makeLine(event: ConversationEvent): EventLine {
  const seq = event.kind === 'update' ? event.update.seq : undefined;
  return { seq, bytes: sizeOfJson(event), isAlarm: isAlarm(event), ...wordsOf(event) };
}

function wordsOf(event: ConversationEvent): Pick<EventLine, 'kind' | 'about'> {
  switch (event.kind) {
    case 'update':
      return wordsOfUpdate(event.update);
    case 'put':
      return { kind: event.message.role === 'ROLE_USER' ? 'sent' : 'answer', about: sample(event.message.parts) };
    case 'status':
      return { kind: 'status', about: event.status.type === 'incomplete' ? event.status.reason : event.status.type };
    case 'delivery':
      return { kind: 'delivery', about: event.delivery };
    case 'connection':
      return { kind: 'network', about: wordsOfConnection(event.connection) };
    case 'context':
      return { kind: 'context', about: event.contextId === undefined ? 'none' : shortId(visibleName(event.contextId)) };
    case 'head':
      return { kind: 'branch', about: event.headId === null ? 'none' : shortId(event.headId) };
    default:
      return { kind: 'reset', about: `${event.exported.messages.length} messages` };
  }
}

type Update = Extract<ConversationEvent, { kind: 'update' }>['update'];

function wordsOfUpdate(update: Update): Pick<EventLine, 'kind' | 'about'> {
  switch (update.kind) {
    case 'task':
      return { kind: 'task', about: `${shortState(update.task.status.state)} ${shortId(update.task.id)}` };
    case 'state':
      return { kind: 'state', about: `${shortState(update.status.state)} ${sample(update.status.message?.parts ?? [])}`.trim() };
    case 'artifact': {
      const name = visibleName(update.chunk.name ?? update.chunk.artifactId, 40);
      return { kind: update.append ? 'chunk' : 'artifact', about: `${name} ${sample(update.chunk.parts)}${update.last ? ' (last)' : ''}` };
    }
    default:
      return { kind: 'message', about: sample(update.message.parts) };
  }
}

function wordsOfConnection(connection: Extract<ConversationEvent, { kind: 'connection' }>['connection']): string {
  if (connection.state !== 'reconnecting') return connection.state;
  return `attempt ${connection.attempt} in ${formatDuration(connection.delayMs)}: ${visibleName(connection.cause, 80)}`;
}

function isAlarm(event: ConversationEvent): boolean {
  if (event.kind === 'status') return event.status.type === 'incomplete' && event.status.reason === 'error';
  if (event.kind === 'delivery') return event.delivery === 'unknown' || event.delivery === 'failed';
  return event.kind === 'connection' && event.connection.state === 'reconnecting';
}

function sample(parts: readonly Part[]): string {
  const [part] = parts;
  if (!part) return '';
  if (part.text !== undefined) return JSON.stringify(visibleName(part.text, 60));
  return visibleName(part.filename ?? part.mediaType ?? (part.data === undefined ? 'file' : 'data'), 60);
}
