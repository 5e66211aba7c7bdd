/** Converts the messages of a conversation for assistant-ui. Unchanged messages keep their identity, so that only changes are rendered. */
import type { ExportedMessageRepository, ThreadAssistantMessage, ThreadMessage, ThreadUserMessage } from '@assistant-ui/react';
import type { Conversation, ExportedConversation } from '../client/conversation/conversation.js';
import type { AgentMessage, ConversationMessage, UserMessage } from '../client/conversation/message.js';
import type { Part } from '../protocol/types.js';
import { a2aPartToContent } from './conversions.js';
import { fromThreadMessage, type ThreadLike } from './runtime-import.js';
import { toA2AState } from './translate.js';
import type { A2APart } from './types.js';

/** A user message as assistant-ui received it, with attachments and content that has no A2A part. */
export type Original = Pick<ThreadUserMessage, 'content' | 'attachments'> & { readonly custom: Readonly<Record<string, unknown>> };

type Feedback = ThreadAssistantMessage['metadata']['submittedFeedback'];
type Content = ThreadAssistantMessage['content'][number];

/** A conversation with its view for assistant-ui. */
export interface ShownConversation {
  readonly conversation: Conversation;
  readonly view: MessageView;
  /** Handles the error of a failed answer, which is also on its message. `useA2ARuntime` throws it, `useConversationRuntime` ignores it. */
  readonly failed: (error: unknown) => void;
}

/** The content of an answer's message. */
export type MessageContent = 'everything' | 'last-message';

interface Made {
  readonly of: ConversationMessage;
  readonly parts: readonly Part[];
  readonly feedback: Feedback;
  readonly thread: ThreadMessage;
}

interface Kept {
  readonly thread: ThreadMessage;
  readonly status: string | undefined;
}

const NOTHING: readonly never[] = Object.freeze([]);

/** Converts the messages of one conversation to assistant-ui and back. */
export class MessageView {
  readonly #made = new Map<string, Made>();
  readonly #content = new WeakMap<Part, Content>();
  readonly #ours = new WeakSet<ThreadMessage>();
  readonly #originals = new Map<string, Original>();
  readonly #kept = new Map<string, Kept>();
  readonly #feedback = new Map<string, Feedback>();
  readonly #recorded = new Set<string>();
  #shows: MessageContent = 'everything';

  /** Converts all branches. `shows` also applies to later `toThread` calls. */
  toRepository({ headId, messages }: ExportedConversation, shows: MessageContent = 'everything'): ExportedMessageRepository {
    this.#shows = shows;
    const items = messages.map(({ parentId, message }) => ({ parentId, message: this.toThread(message) }));
    if (this.#made.size > items.length) this.#forget(new Set(items.map(({ message }) => message.id)));
    // assistant-ui interprets a null head as the last message, so the list must be empty too.
    return headId === null ? { headId, messages: [] } : { headId: headId ?? items.at(-1)?.message.id ?? null, messages: items };
  }

  toThread(message: ConversationMessage): ThreadMessage {
    const known = this.#made.get(message.id);
    const feedback = this.#feedback.get(message.id);
    const parts = this.#partsOf(message);
    const isSame = known?.parts === parts && known.feedback === feedback && looksTheSame(known.of, message);
    if (isSame) return known.thread;
    const thread =
      this.#keptOf(message) ?? (message.role === 'ROLE_USER' ? this.#user(message) : this.#assistant(message, parts, feedback));
    this.#made.set(message.id, { of: message, parts, feedback, thread });
    this.#ours.add(thread);
    return thread;
  }

  /** Whether this view created the message. Such a message may be outdated and contains no new data. */
  isOurs(message: ThreadMessage): boolean {
    return this.#ours.has(message);
  }

  /** Converts a message that the application has saved; undefined if A2A has no equivalent. It is shown unchanged. */
  fromThread(message: ThreadLike, parentId: string | null): ConversationMessage | undefined {
    const own = this.fromApplication(message, parentId);
    if (own !== undefined) this.#recorded.add(own.id);
    return own;
  }

  /** Converts a message that is not saved yet. */
  fromApplication(message: ThreadLike, parentId: string | null): ConversationMessage | undefined {
    const read = fromThreadMessage(message, parentId);
    if (read === undefined) return undefined;
    const { thread, message: own } = read;
    this.#made.delete(own.id);
    this.#kept.set(own.id, { thread, status: statusType(own) });
    return own;
  }

  /** Whether the application has saved the message; set by `record`. */
  isRecorded(id: string): boolean {
    return this.#recorded.has(id);
  }

  record(id: string): void {
    this.#recorded.add(id);
  }

  /** Stores the original content of the message that is sent with this id. */
  remember(id: string, original: Original): void {
    this.#originals.set(id, original);
  }

  /** Stores the user's feedback, so that it is shown even after the answer changes. */
  rate(id: string, feedback: Feedback): void {
    this.#feedback.set(id, feedback);
  }

  #keptOf(message: ConversationMessage): ThreadMessage | undefined {
    const kept = this.#kept.get(message.id);
    if (kept === undefined) return undefined;
    if (kept.status === statusType(message)) return kept.thread;
    this.#kept.delete(message.id);
    return undefined;
  }

  #user({ id, createdAt, parts }: UserMessage): ThreadMessage {
    const original = this.#originals.get(id);
    const { content = parts.map((part) => this.#show(part)), attachments = NOTHING, custom = {} } = original ?? {};
    // Parts become text, images and files only, which are valid user content.
    return {
      id,
      role: 'user',
      createdAt: new Date(createdAt),
      content: content as ThreadUserMessage['content'],
      attachments,
      metadata: { custom },
    };
  }

  #partsOf(message: ConversationMessage): readonly Part[] {
    if (message.role === 'ROLE_USER' || this.#shows === 'everything') return message.parts;
    const last = message.said.at(-1);
    if (last !== undefined) return last.parts;
    // A message that the application saved has only parts.
    return message.artifacts.length === 0 ? message.parts : NOTHING;
  }

  #assistant(message: AgentMessage, parts: readonly Part[], feedback: Feedback): ThreadMessage {
    const { id, createdAt } = message;
    return {
      id,
      role: 'assistant',
      createdAt: new Date(createdAt),
      content: parts.map((part) => this.#show(part)),
      status: toStatus(message.status),
      metadata: {
        unstable_state: null,
        unstable_annotations: NOTHING,
        unstable_data: NOTHING,
        steps: NOTHING,
        ...(feedback !== undefined && { submittedFeedback: feedback }),
        custom: customOf(message),
      },
    };
  }

  #show(part: Part): Content {
    const known = this.#content.get(part);
    if (known !== undefined) return known;
    const content = a2aPartToContent(part as A2APart); // the same shape apart from `readonly`
    this.#content.set(part, content);
    return content;
  }

  /** Deletes the data of removed messages. Data of a message that is still being sent stays, because the message was never shown. */
  #forget(present: ReadonlySet<string>): void {
    for (const id of this.#made.keys()) {
      if (present.has(id)) continue;
      for (const known of [this.#made, this.#originals, this.#kept, this.#feedback, this.#recorded]) known.delete(id);
    }
  }
}

/** Compares only what is displayed besides the parts: siblings, seq and other fields cause no render. */
function looksTheSame(one: ConversationMessage, other: ConversationMessage): boolean {
  return one.role === 'ROLE_USER' || other.role === 'ROLE_USER' ? one.role === other.role : one.status === other.status;
}

/** The task data that is needed to answer the question after a reload. Not for a running answer, because each read would build its task. */
function customOf(message: AgentMessage): Record<string, unknown> {
  const task = message.status.type === 'running' ? undefined : message.task;
  return task === undefined ? {} : { a2a: { taskId: task.id, contextId: task.contextId, state: toA2AState(task.status.state) } };
}

function statusType(message: ConversationMessage): string | undefined {
  return message.role === 'ROLE_AGENT' ? message.status.type : undefined;
}

function toStatus(status: AgentMessage['status']): ThreadAssistantMessage['status'] {
  switch (status.type) {
    case 'requires-action':
      return { type: 'requires-action', reason: 'interrupt' };
    case 'incomplete':
      return status.reason === 'error' ? { type: 'incomplete', reason: 'error', error: status.error.message } : status;
    default:
      return status;
  }
}
