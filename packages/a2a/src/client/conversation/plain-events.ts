/** Events and commands as tabs exchange them: errors are plain data. */
import { A2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import type { JsonValue } from '../../protocol/types.js';
import type { Command } from './commands.js';
import type { Connection, ConversationEvent } from './conversation.js';
import { readExported, readMessage, readStatus, toDelivery, toPlainExported, toPlainMessage } from './read-message.js';
import { readSaved, type SavedConversation, toJson } from './saved.js';
import { isConfiguration, isMessage, isMetadata, isOptional } from './shapes.js';

export function toPlainEvent(event: ConversationEvent): JsonValue {
  if (event.kind === 'put') return toJson({ ...event, message: toPlainMessage(event.message) });
  if (event.kind === 'reset') return toJson({ ...event, exported: toPlainExported(event.exported) });
  return toJson(event);
}

const KINDS: readonly unknown[] = ['put', 'update', 'status', 'delivery', 'connection', 'context', 'head', 'reset'];

/** Only tabs of the same version exchange events, so this checks only what would break this tab. */
export function readEvent(value: unknown): ConversationEvent {
  if (!isObject(value) || !KINDS.includes(value.kind) || typeof value.at !== 'string') throw bad('event');
  const event = value as unknown as ConversationEvent; // recorded by another tab of this version
  switch (event.kind) {
    case 'put':
      return readPut(event);
    case 'reset':
      return { ...event, exported: readExported(event.exported) };
    case 'status':
      return readStatusEvent(event);
    case 'delivery':
      if (toDelivery(event.delivery) === undefined) throw bad('event');
      return event;
    default:
      return event;
  }
}

function readStatusEvent(event: Extract<ConversationEvent, { kind: 'status' }>): ConversationEvent {
  const status = readStatus(event.status);
  if (status === undefined) throw bad('event');
  return { ...event, status };
}

/** Drops an invalid configuration or metadata: the message itself can still be shown. */
function readPut({ configuration, metadata, ...event }: Extract<ConversationEvent, { kind: 'put' }>): ConversationEvent {
  if (!isOptional(isMessage, event.sends)) throw bad('event');
  const request = { ...(isConfiguration(configuration) && { configuration }), ...(isMetadata(metadata) && { metadata }) };
  return { ...event, message: readMessage(event.message), ...request };
}

export function toPlainCommand(command: Command): JsonValue {
  if (command.do === 'set') return toJson({ ...command, messages: command.messages.map(toPlainMessage) });
  if (command.do === 'import') return toJson({ ...command, exported: toPlainExported(command.exported) });
  return toJson(command);
}

const COMMANDS: readonly unknown[] = ['send', 'reload', 'settle', 'cancel', 'switch', 'set', 'import', 'clear'];

export function readCommand(value: unknown): Command {
  if (!isObject(value) || !COMMANDS.includes(value.do)) throw bad('command');
  const command = value as unknown as Command; // sent by another tab of this version
  if (command.do === 'set') return { ...command, messages: command.messages.map(readMessage) };
  if (command.do === 'import') return { ...command, exported: readExported(command.exported) };
  return command;
}

/** The leader's state for a tab that joins later. */
export interface TabSnapshot {
  readonly saved: SavedConversation;
  readonly connection: Connection;
}

export function readSnapshot(value: unknown): TabSnapshot {
  if (!isObject(value) || !isObject(value.connection)) throw bad('snapshot');
  return { saved: readSaved(value.saved), connection: value.connection as unknown as Connection }; // as above
}

function bad(what: string): A2AError {
  return new A2AError('INVALID_REQUEST', `Another tab sent an invalid ${what}`);
}
