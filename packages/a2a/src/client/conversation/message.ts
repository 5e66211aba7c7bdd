/** What a conversation is made of, as its readers see it. */
import type { A2AError } from '../../protocol/errors.js';
import type { Artifact, Message, Part, Task } from '../../protocol/types.js';

interface Placed {
  readonly id: string;
  /** null: it begins the conversation. */
  readonly parentId: string | null;
  /** Everything that stands at this place, itself included, oldest first: more than one after an edit or a reload. */
  readonly siblings: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  /** What there is to show, in order. */
  readonly parts: readonly Part[];
  /** The text of what there is to show: a blank line stands between two artifacts. */
  readonly text: string;
}

export interface UserMessage extends Placed {
  readonly role: 'ROLE_USER';
  /** As it goes over the wire; its `messageId` is the `id`. */
  readonly message: Message;
  /**
   * 'unknown': the page went away while it was being sent to an agent that can not be asked whether it came; `resend` or `discard` it.
   * 'local': it was put here and never sent.
   */
  readonly delivery: 'sending' | 'sent' | 'unknown' | 'failed' | 'local';
}

export interface AgentMessage extends Placed {
  readonly role: 'ROLE_AGENT';
  readonly status: MessageStatus;
  /** As of now; undefined before there is one, or when the agent answers with a plain Message. */
  readonly task: Task | undefined;
  /** The last event that is in it, where the agent numbers its events. */
  readonly seq: number | undefined;
  /** What the agent said in this turn besides artifacts: progress, questions, last words. */
  readonly said: readonly Message[];
  /** Of this turn, as far as they have come. */
  readonly artifacts: readonly Artifact[];
}

export type ConversationMessage = UserMessage | AgentMessage;

export type MessageStatus =
  | { readonly type: 'running' }
  | { readonly type: 'complete'; readonly reason: 'stop' }
  | { readonly type: 'incomplete'; readonly reason: 'cancelled' }
  | { readonly type: 'incomplete'; readonly reason: 'error'; readonly error: A2AError }
  /** The agent waits for its caller: the next message answers it. */
  | { readonly type: 'requires-action'; readonly reason: 'interrupt'; readonly want: 'input' | 'auth'; readonly prompt: string };
