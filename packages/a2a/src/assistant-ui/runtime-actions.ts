/** Maps the actions of assistant-ui to commands of the conversation. */
import { type AppendMessage, type ExportedMessageRepository, MessageNotSentError, type ThreadMessage } from '@assistant-ui/react';
import type { Conversation, TurnOptions } from '../client/conversation/conversation.js';
import type { ConversationMessage } from '../client/conversation/message.js';
import { randomIds } from '../platform/random-ids.js';
import { A2AError } from '../protocol/errors.js';
import type { JsonObject, Message, SendMessageConfiguration } from '../protocol/types.js';
import { fromLine, fromRepository } from './runtime-history.js';
import { toParts } from './runtime-import.js';
import type { MessageView, Original, ShownConversation } from './runtime-messages.js';
import type { A2ARunConfig } from './runtime-options.js';

/** The callbacks of an external store over a conversation. */
export interface Actions {
  onNew(message: AppendMessage): Promise<void>;
  onEdit(message: AppendMessage): Promise<void>;
  onReload(parentId: string | null): Promise<void>;
  onCancel(): Promise<void>;
  setMessages(messages: readonly ThreadMessage[]): void;
  onImport(messages: readonly ThreadMessage[]): void;
}

/** `exportAll` returns all current messages of assistant-ui, including hidden branches. */
export function createActions(parts: ShownConversation, exportAll: () => ExportedMessageRepository | undefined): Actions {
  const { conversation, view, failed } = parts;
  return {
    onNew: (message) => put(parts, message),
    onEdit: (message) => put(parts, message),
    async onReload(parentId) {
      try {
        await conversation.reload(parentId);
      } catch (error) {
        failed(error);
      }
    },
    onCancel: () => conversation.cancel(),
    setMessages: (messages) => show(parts, messages),
    onImport(messages) {
      const all = exportAll();
      conversation.import(all === undefined ? fromLine(messages, view) : fromRepository(all, view));
    },
  };
}

/** Adds a new or an edited message. Both name their parent, so an edited message becomes a sibling of the original. */
async function put(parts: ShownConversation, message: AppendMessage): Promise<void> {
  const { conversation, failed } = parts;
  const id = randomIds.messageId();
  try {
    await (message.role === 'user' ? send(parts, id, message) : putAnswer(parts, id, message));
  } catch (error) {
    // A message in the conversation shows its own error. For any other, MessageNotSentError returns the text to the composer.
    if (conversation.export().messages.some((item) => item.message.id === id)) return failed(error);
    throw new MessageNotSentError(error instanceof Error ? error.message : String(error));
  }
}

async function send({ conversation, view }: ShownConversation, id: string, message: AppendMessage): Promise<void> {
  const parts = toParts(message);
  const { attachments = [], metadata } = message;
  // The cast is safe: a user message has user content.
  view.remember(id, { content: message.content as Original['content'], attachments, custom: metadata?.custom ?? {} });
  const turn = turnOf(conversation, message);
  await conversation.send({ messageId: id, parts: parts.length > 0 ? parts : [{ text: '' }] }, turn);
}

function turnOf(conversation: Conversation, message: AppendMessage): TurnOptions {
  const own = (message.runConfig?.custom?.a2a ?? {}) as A2ARunConfig;
  const answers = questionBefore(conversation, message);
  return {
    parentId: message.parentId,
    ...(message.startRun !== undefined && { startRun: message.startRun }),
    ...(answers !== undefined && { answers }),
    // The same shapes apart from `readonly`; undefined fields are not sent.
    ...(own.configuration !== undefined && { configuration: own.configuration as SendMessageConfiguration }),
    ...(own.metadata !== undefined && { metadata: own.metadata as JsonObject }),
    ...(own.messageMetadata !== undefined && { messageMetadata: own.messageMetadata as JsonObject }),
    ...(own.referenceTaskIds !== undefined && { referenceTaskIds: own.referenceTaskIds as NonNullable<Message['referenceTaskIds']> }),
  };
}

/** A message after an open question answers it. It is refused if another tab answered first. */
function questionBefore(conversation: Conversation, { role, parentId }: AppendMessage): string | undefined {
  const parent = conversation.export().messages.find(({ message }) => message.id === parentId)?.message;
  const isAsked = parent?.role === 'ROLE_AGENT' && parent.status.type === 'requires-action';
  return isAsked && role === 'user' ? parent.id : undefined;
}

/** Adds an answer that the application wrote. It is shown unchanged, and nothing is sent unless `startRun` is set. */
async function putAnswer({ conversation, view }: ShownConversation, id: string, given: AppendMessage): Promise<void> {
  const message = view.fromApplication({ ...given, id, status: { type: 'complete', reason: 'stop' } }, given.parentId);
  if (message === undefined)
    throw new A2AError('INVALID_PARAMS', `A message with the role ${given.role} is not possible in an A2A conversation`);
  const parts = message.parts.length > 0 ? message.parts : [{ text: '' }];
  await conversation.send({ messageId: id, role: 'ROLE_AGENT', parts }, turnOf(conversation, given));
}

/**
 * Called when assistant-ui switches the branch, removes a message, or gets new messages. Messages of our view may be outdated, so only
 * their ids are used.
 */
function show({ conversation, view }: ShownConversation, messages: readonly ThreadMessage[]): void {
  const known = new Map(conversation.export().messages.map(({ message }) => [message.id, message]));
  const last = messages.at(-1);
  const isAllOurs = messages.every((message) => view.isOurs(message) && known.has(message.id));
  if (isAllOurs && last !== undefined && isChain(messages, known) && !hasChildren(last.id, known)) {
    if (conversation.state.messages.at(-1)?.id !== last.id) conversation.switchTo(last.id);
    return;
  }
  conversation.setMessages(toLine(messages, view, known));
}

function toLine(
  messages: readonly ThreadMessage[],
  view: MessageView,
  known: ReadonlyMap<string, ConversationMessage>,
): ConversationMessage[] {
  const line: ConversationMessage[] = [];
  for (const given of messages) {
    const parentId = line.at(-1)?.id ?? null;
    const own = view.isOurs(given) ? known.get(given.id) : undefined;
    const message = own === undefined ? view.fromThread(given, parentId) : { ...own, parentId };
    if (message !== undefined) line.push(message);
  }
  return line;
}

function isChain(messages: readonly ThreadMessage[], known: ReadonlyMap<string, ConversationMessage>): boolean {
  return messages.every(({ id }, index) => known.get(id)?.parentId === (messages[index - 1]?.id ?? null));
}

function hasChildren(id: string, known: ReadonlyMap<string, ConversationMessage>): boolean {
  return [...known.values()].some(({ parentId }) => parentId === id);
}
