/** The messages of a conversation, as readers see them. */
import type { A2AError } from '../../protocol/errors.js';
import type { Artifact, Message, Part, Task } from '../../protocol/types.js';

interface Placed {
  readonly id: string;
  /** null: the first message of the conversation. */
  readonly parentId: string | null;
  /** The ids of all messages with the same parent, including this one, oldest first. An edit or a reload adds one. */
  readonly siblings: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  /** The content to display, in order. */
  readonly parts: readonly Part[];
  /** The text of the parts, with a blank line between two artifacts. */
  readonly text: string;
}

/** A message of the user, with the state of its delivery. */
export interface UserMessage extends Placed {
  readonly role: 'ROLE_USER';
  /** The A2A message that is sent; its `messageId` equals `id`. */
  readonly message: Message;
  /**
   * 'unknown': the page was closed during the send, and the agent has no idempotency key that would make a repeated send safe; call
   * `settle` with 'resend' or 'discard'. 'local': the message was added without being sent.
   */
  readonly delivery: 'sending' | 'sent' | 'unknown' | 'failed' | 'local';
}

/** An answer of the agent, with its status, its task and its artifacts. */
export interface AgentMessage extends Placed {
  readonly role: 'ROLE_AGENT';
  readonly status: MessageStatus;
  /** The current task; undefined before the agent creates one, or when it answers with a plain Message. */
  readonly task: Task | undefined;
  /** The seq of the last event in this answer, if the agent numbers its events. */
  readonly seq: number | undefined;
  /** The agent's messages in this answer, besides artifacts: progress, questions, the final message. */
  readonly said: readonly Message[];
  /** The artifacts of this answer, as far as they have arrived. */
  readonly artifacts: readonly Artifact[];
}

/** A message of a conversation; check its `role` to tell the user's messages from the agent's. */
export type ConversationMessage = UserMessage | AgentMessage;

/** The status of an answer: running, complete, incomplete, or waiting for the user. */
export type MessageStatus =
  | { readonly type: 'running' }
  | { readonly type: 'complete'; readonly reason: 'stop' }
  | { readonly type: 'incomplete'; readonly reason: 'cancelled' }
  | { readonly type: 'incomplete'; readonly reason: 'error'; readonly error: A2AError }
  /** The agent waits for the caller; the next message answers it. */
  | { readonly type: 'requires-action'; readonly reason: 'interrupt'; readonly want: 'input' | 'auth'; readonly prompt: string };
