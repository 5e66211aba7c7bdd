/** Builds the request from the caller's input. */
import { A2AError } from '../protocol/errors.js';
import type { AgentCard, Message, SendMessageConfiguration, SendMessageRequest } from '../protocol/types.js';
import type { Input, RunOptions } from './run/run-options.js';

export type MessageOptions = Pick<RunOptions, 'taskId' | 'referenceTaskIds' | 'messageMetadata'> & {
  /** Context id to use. undefined: the one in the message. null: a new context, even if the message names one. */
  readonly contextId?: string | null | undefined;
};

/** Creates a user message and fills in its ids. Options override the fields of a given Message. */
export function toMessage(input: Input, newId: () => string, options: MessageOptions = {}): Message {
  const { taskId, contextId, referenceTaskIds, messageMetadata: metadata } = options;
  // Fast path for the most common call.
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

/** Moves the message to this context. undefined: keep the message as it is. null: a new context. */
export function inContext(message: Message, contextId: string | null | undefined): Message {
  if (contextId === undefined || (contextId === null && message.contextId === undefined)) return message;
  const { contextId: _left, ...rest } = message;
  return contextId === null ? rest : { ...rest, contextId };
}

function toContent(input: Input): Pick<Message, 'parts'> & Partial<Message> {
  if (typeof input === 'string') return { parts: [{ text: input }] };
  if (isParts(input)) return { parts: input };
  if (typeof input === 'object' && input !== null) return { parts: [], ...filledOnly(input) };
  throw new A2AError('INVALID_PARAMS', `A message must be text, parts or a Message, got ${input === null ? 'null' : typeof input}`);
}

/** An empty id counts as absent. */
function messageIdOf(input: Input): string | undefined {
  if (typeof input === 'string' || isParts(input)) return undefined;
  return input.messageId === '' ? undefined : input.messageId;
}

/** Returns the metadata of a given Message. */
export function metadataOf(input: Input): Message['metadata'] {
  return typeof input === 'object' && input !== null && 'metadata' in input ? input.metadata : undefined;
}

/** Array.isArray does not narrow readonly arrays. */
export function isParts(input: Input): input is Message['parts'] {
  return Array.isArray(input);
}

/** Some callers write '' for unknown fields. */
function filledOnly(message: Partial<Message>): Partial<Message> {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined && value !== ''));
}

/** Fills in the required fields that a caller may omit: the id and the role of the message. */
export function completeSend(params: SendMessageRequest, newId: () => string): SendMessageRequest {
  const { message } = params;
  // The check of the whole request reports a value that is not a message.
  if (typeof message !== 'object' || message === null) return params;
  const { messageId, role } = message;
  if (messageId && role) return params;
  return { ...params, message: { ...message, messageId: messageId || newId(), role: role ?? 'ROLE_USER' } };
}

// Formats that nearly every caller can display.
const OUTPUT_MODES = ['text/plain', 'application/json'];

export interface ConfigurationDefaults {
  readonly acceptedOutputModes?: readonly string[] | undefined;
  readonly historyLength?: number | undefined;
}

/** Merges the configuration of this send, the client options and the default output modes of the card. The first one wins. */
export function toConfiguration(
  said: SendMessageConfiguration | undefined,
  defaults: ConfigurationDefaults,
  card: AgentCard,
): SendMessageConfiguration {
  const { defaultOutputModes } = card;
  const { acceptedOutputModes = defaultOutputModes.length > 0 ? defaultOutputModes : OUTPUT_MODES, historyLength } = defaults;
  if (historyLength === undefined && said === undefined) return { acceptedOutputModes };
  return { acceptedOutputModes, ...(historyLength !== undefined && { historyLength }), ...said };
}
