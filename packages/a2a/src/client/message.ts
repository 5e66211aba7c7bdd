/** From what a caller says to the request that is sent. */
import { A2AError } from '../protocol/errors.js';
import type { AgentCard, Message, SendMessageConfiguration, SendMessageRequest } from '../protocol/types.js';
import type { Input, RunOptions } from './run/run-options.js';

export type MessageOptions = Pick<RunOptions, 'taskId' | 'referenceTaskIds' | 'messageMetadata'> & {
  /** The conversation to be in; undefined: what the message says; null: a new one, whatever the message says. */
  readonly contextId?: string | null | undefined;
};

/** A message of the user, with its ids filled in. What the options say wins over what a whole message says. */
export function toMessage(input: Input, newId: () => string, options: MessageOptions = {}): Message {
  const { taskId, contextId, referenceTaskIds, messageMetadata: metadata } = options;
  // What most callers say, without the ways around it.
  if (typeof input === 'string' && !taskId && !contextId && !referenceTaskIds && !metadata) {
    return { role: 'ROLE_USER', parts: [{ text: input }], messageId: newId() };
  }
  const { contextId: ownContextId, ...content } = toContent(input);
  const chosen = contextId === undefined ? ownContextId : (contextId ?? undefined);
  return {
    role: 'ROLE_USER',
    ...content,
    ...(taskId !== undefined && { taskId }),
    ...(chosen !== undefined && { contextId: chosen }),
    ...(referenceTaskIds !== undefined && { referenceTaskIds }),
    ...(metadata !== undefined && { metadata }),
    messageId: messageIdOf(input) ?? newId(),
  };
}

/** The message in that conversation; undefined: where it says itself; null: in a new one. */
export function inContext(message: Message, contextId: string | null | undefined): Message {
  if (contextId === undefined || (contextId === null && message.contextId === undefined)) return message;
  const { contextId: _left, ...rest } = message;
  return contextId === null ? rest : { ...rest, contextId };
}

function toContent(input: Input): Pick<Message, 'parts'> & Partial<Message> {
  if (typeof input === 'string') return { parts: [{ text: input }] };
  if (isParts(input)) return { parts: input };
  if (typeof input === 'object' && input !== null) return { parts: [], ...filledOnly(input) };
  throw new A2AError('INVALID_PARAMS', `A message is text, parts or a Message, got ${input === null ? 'null' : typeof input}`);
}

/** Empty ids count as none, as everywhere. */
function messageIdOf(input: Input): string | undefined {
  if (typeof input === 'string' || isParts(input)) return undefined;
  return input.messageId === '' ? undefined : input.messageId;
}

/** What a whole message carries beside its parts. */
export function metadataOf(input: Input): Message['metadata'] {
  return typeof input === 'object' && input !== null && 'metadata' in input ? input.metadata : undefined;
}

/** Array.isArray does not narrow readonly arrays. */
export function isParts(input: Input): input is Message['parts'] {
  return Array.isArray(input);
}

/** Some callers write '' for what they do not know. */
function filledOnly(message: Partial<Message>): Partial<Message> {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined && value !== ''));
}

/** The request with what the protocol wants and a caller need not write: the message's id and role. */
export function completeSend(params: SendMessageRequest, newId: () => string): SendMessageRequest {
  const { message } = params;
  // What is no message at all is for the check of the whole request to name.
  if (typeof message !== 'object' || message === null) return params;
  const { messageId, role } = message;
  if (messageId && role) return params;
  return { ...params, message: { ...message, messageId: messageId || newId(), role: role ?? 'ROLE_USER' } };
}

// What nearly every caller can show.
const OUTPUT_MODES = ['text/plain', 'application/json'];

export interface Wishes {
  readonly acceptedOutputModes?: readonly string[] | undefined;
  readonly historyLength?: number | undefined;
}

/** What the caller said for this send, else for all, else what the card's agent gives anyhow. */
export function toConfiguration(said: SendMessageConfiguration | undefined, wishes: Wishes, card: AgentCard): SendMessageConfiguration {
  const { defaultOutputModes } = card;
  const { acceptedOutputModes = defaultOutputModes.length > 0 ? defaultOutputModes : OUTPUT_MODES, historyLength } = wishes;
  if (historyLength === undefined && said === undefined) return { acceptedOutputModes };
  return { acceptedOutputModes, ...(historyLength !== undefined && { historyLength }), ...said };
}
