/** From what callers say to a Message as it travels. */
import { A2AError } from '../../protocol/errors.js';
import type { JsonObject, Message, Part } from '../../protocol/types.js';
import type { Input } from './run-options.js';

/** What a message gets beside its own content. */
export interface MessageFrame {
  readonly newId: () => string;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
  readonly extensions?: readonly string[] | undefined;
  /** Behind the caller's own. */
  readonly parts?: readonly Part[] | undefined;
}

/** What the caller gives wins over the frame; metadata and extensions are joined. Throws when there is nothing to say. */
export function toMessage(input: Input, frame: MessageFrame): Message {
  const given = contentOf(input);
  const parts = [...(given.parts ?? []), ...(frame.parts ?? [])];
  if (parts.length === 0) throw new A2AError('INVALID_PARAMS', 'a message needs at least one part');
  const taskId = given.taskId ?? frame.taskId;
  const contextId = given.contextId ?? frame.contextId;
  const metadata = given.metadata || frame.metadata ? { ...frame.metadata, ...given.metadata } : undefined;
  const referenceTaskIds = given.referenceTaskIds ?? frame.referenceTaskIds;
  const extensions = [...new Set([...(given.extensions ?? []), ...(frame.extensions ?? [])])];
  return {
    messageId: given.messageId ?? frame.newId(),
    role: given.role ?? 'ROLE_USER',
    parts,
    ...(taskId && { taskId }),
    ...(contextId && { contextId }),
    ...(metadata && { metadata }),
    ...(referenceTaskIds?.length && { referenceTaskIds }),
    ...(extensions.length > 0 && { extensions }),
  };
}

/** Throws at once, with the value's name, when it is no input. */
export function checkInput(input: unknown, name: string): asserts input is Input {
  if (typeof input === 'string') return;
  const parts: unknown = Array.isArray(input)
    ? input
    : typeof input === 'object' && input !== null && 'parts' in input
      ? input.parts
      : undefined;
  if (!Array.isArray(parts) || parts.length === 0) {
    throw new A2AError('INVALID_PARAMS', `${name} must be a text, a list of at least one part, or a message with parts`);
  }
}

function contentOf(input: Input): Partial<Message> {
  if (typeof input === 'string') return { parts: [{ text: input }] };
  return isParts(input) ? { parts: input } : input;
}

/** Array.isArray does not see through readonly. */
function isParts(input: readonly Part[] | Partial<Message>): input is readonly Part[] {
  return Array.isArray(input);
}
