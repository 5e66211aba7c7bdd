/** Validates messages that an application saved: every field may be missing or wrong. */
import type { ThreadMessage, MessageStatus as ThreadStatus } from '@assistant-ui/react';
import { textOfParts } from '../client/answer-text.js';
import type { AgentMessage, ConversationMessage, MessageStatus, UserMessage } from '../client/conversation/message.js';
import { A2AError } from '../protocol/errors.js';
import type { Part, Task } from '../protocol/types.js';
import { userContentToA2AParts } from './conversions.js';
import { fromA2AState } from './translate.js';
import type { A2ATaskState } from './types.js';

/** A message from the application's storage: dates are strings, and any field may be missing. */
export type ThreadLike = { readonly [K in keyof ThreadMessage]?: unknown };

export interface ReadMessage {
  /** Complete, as assistant-ui requires it. */
  readonly thread: ThreadMessage;
  readonly message: ConversationMessage;
}

/** undefined for an invalid message, and for a system message, which A2A does not have. */
export function fromThreadMessage(given: ThreadLike, parentId: string | null): ReadMessage | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { id, role } = given;
  if (typeof id !== 'string' || id === '' || (role !== 'user' && role !== 'assistant')) return undefined;
  const thread = complete(given, role);
  const createdAt = thread.createdAt.toISOString();
  const parts = toParts(thread);
  const placed = { id, parentId, siblings: [id], createdAt, parts, text: textOfParts(parts) };
  return { thread, message: role === 'user' ? toUser(placed) : toAgent(placed, thread) };
}

/** Content without a matching part is left out. Data that is not JSON is refused by the send. */
export function toParts(message: Pick<ThreadMessage, 'content' | 'attachments'>): readonly Part[] {
  return userContentToA2AParts(message as Parameters<typeof userContentToA2AParts>[0]) as readonly Part[];
}

function complete(given: ThreadLike, role: 'user' | 'assistant'): ThreadMessage {
  const { content, createdAt, metadata } = given;
  const date = createdAt instanceof Date ? createdAt : new Date(String(createdAt));
  const shared = {
    ...given,
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).filter(isObject),
    createdAt: Number.isNaN(date.getTime()) ? new Date(0) : date,
  };
  const custom = isObject(metadata) && isObject(metadata.custom) ? metadata.custom : {};
  const rest =
    role === 'user'
      ? { attachments: listOf(given.attachments).filter(isObject), metadata: { ...toObject(metadata), custom } }
      : { status: readStatus(given.status), metadata: { ...NO_METADATA, ...toObject(metadata), custom } };
  // All fields of the type are set. The inner fields of content are checked where they are displayed.
  return { ...shared, ...rest } as unknown as ThreadMessage;
}

const NO_METADATA = { unstable_state: null, unstable_annotations: [], unstable_data: [], steps: [] };
const STATUSES: readonly unknown[] = ['complete', 'incomplete', 'requires-action'] satisfies ThreadStatus['type'][];

/** An answer that was saved while it was running counts as canceled, because its stream is gone. */
function readStatus(status: unknown): ThreadStatus {
  if (!isObject(status)) return { type: 'complete', reason: 'unknown' };
  // The type is known; the reason is only displayed.
  if (STATUSES.includes(status.type)) return status as ThreadStatus;
  return { type: 'incomplete', reason: 'cancelled' };
}

type Placed = Pick<UserMessage, 'id' | 'parentId' | 'siblings' | 'createdAt' | 'parts' | 'text'>;

function toUser(placed: Placed): UserMessage {
  const parts = placed.parts.length > 0 ? placed.parts : [{ text: '' }];
  return { ...placed, role: 'ROLE_USER', parts, message: { messageId: placed.id, role: 'ROLE_USER', parts }, delivery: 'sent' };
}

function toAgent(placed: Placed, thread: ThreadMessage): AgentMessage {
  const task = taskOf(thread.metadata.custom.a2a);
  const status = toStatus(thread.status ?? { type: 'complete', reason: 'unknown' }, { task, text: placed.text });
  return { ...placed, role: 'ROLE_AGENT', status, task, seq: undefined, said: [], artifacts: [] };
}

function toStatus(status: ThreadStatus, { task, text }: { task: Task | undefined; text: string }): MessageStatus {
  switch (status.type) {
    case 'requires-action': {
      const want = task?.status.state === 'TASK_STATE_AUTH_REQUIRED' ? 'auth' : 'input';
      return { type: 'requires-action', reason: 'interrupt', want, prompt: text };
    }
    case 'incomplete': {
      if (status.reason === 'cancelled') return { type: 'incomplete', reason: 'cancelled' };
      const words = typeof status.error === 'string' ? status.error : `the answer ended early (${status.reason})`;
      return { type: 'incomplete', reason: 'error', error: new A2AError('INTERNAL_ERROR', words) };
    }
    default:
      return { type: 'complete', reason: 'stop' };
  }
}

/** The task data that `customOf` saved with an answer: enough to answer its question. */
function taskOf(kept: unknown): Task | undefined {
  if (!isObject(kept)) return undefined;
  const { taskId, contextId, state } = kept;
  if (typeof taskId !== 'string' || taskId === '' || typeof state !== 'string') return undefined;
  // An unknown state becomes TASK_STATE_UNSPECIFIED.
  const wireState = fromA2AState(state as A2ATaskState);
  return { id: taskId, ...(typeof contextId === 'string' && { contextId }), status: { state: wireState } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
