/** The messages of a conversation as assistant-ui has them. What did not change stays the same object, so that only news is rendered. */
import type { ExportedMessageRepository, ThreadAssistantMessage, ThreadMessage, ThreadUserMessage } from '@assistant-ui/react';
import type { Conversation, ExportedConversation } from '../client/conversation/conversation.js';
import type { AgentMessage, ConversationMessage, UserMessage } from '../client/conversation/message.js';
import type { Part } from '../protocol/types.js';
import { a2aPartToContent } from './conversions.js';
import { fromThreadMessage, type ThreadLike } from './runtime-import.js';
import { toA2AState } from './translate.js';
import type { A2APart } from './types.js';

/** How a message of the user was given to assistant-ui: with attachments, and content that A2A has no parts for. */
export type Original = Pick<ThreadUserMessage, 'content' | 'attachments'> & { readonly custom: Readonly<Record<string, unknown>> };

type Feedback = ThreadAssistantMessage['metadata']['submittedFeedback'];
type Content = ThreadAssistantMessage['content'][number];

/** A conversation, and how assistant-ui sees it. */
export interface ShownConversation {
  readonly conversation: Conversation;
  readonly view: MessageView;
  /** An answer failed, which is on its message: throws for those who wait for it, where anybody does. */
  readonly failed: (error: unknown) => void;
}

/** What the message of an answer contains. */
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

/** The messages of one conversation, on their way to assistant-ui and back. */
export class MessageView {
  readonly #made = new Map<string, Made>();
  readonly #content = new WeakMap<Part, Content>();
  readonly #ours = new WeakSet<ThreadMessage>();
  readonly #originals = new Map<string, Original>();
  readonly #kept = new Map<string, Kept>();
  readonly #feedback = new Map<string, Feedback>();
  readonly #recorded = new Set<string>();
  #shows: MessageContent = 'everything';

  /** All branches. What messages contain stays as it is said here. */
  toRepository({ headId, messages }: ExportedConversation, shows: MessageContent = 'everything'): ExportedMessageRepository {
    this.#shows = shows;
    const items = messages.map(({ parentId, message }) => ({ parentId, message: this.toThread(message) }));
    if (this.#made.size > items.length) this.#forget(new Set(items.map(({ message }) => message.id)));
    // assistant-ui takes a head that is null for the last message.
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

  /** Has this message been given out by us? Then it says nothing new, however old it is. */
  isOurs(message: ThreadMessage): boolean {
    return this.#ours.has(message);
  }

  /** A message that comes from elsewhere, where it is kept; undefined when there is no place for it in A2A. It is shown as it came. */
  fromThread(message: ThreadLike, parentId: string | null): ConversationMessage | undefined {
    const own = this.fromApplication(message, parentId);
    if (own !== undefined) this.#recorded.add(own.id);
    return own;
  }

  /** The same for one that is new. */
  fromApplication(message: ThreadLike, parentId: string | null): ConversationMessage | undefined {
    const read = fromThreadMessage(message, parentId);
    if (read === undefined) return undefined;
    const { thread, message: own } = read;
    this.#made.delete(own.id);
    this.#kept.set(own.id, { thread, status: statusType(own) });
    return own;
  }

  /** Whether the application has the message in its history; said when it has got it. */
  isRecorded(id: string): boolean {
    return this.#recorded.has(id);
  }

  record(id: string): void {
    this.#recorded.add(id);
  }

  /** Keeps what the user put together, for the message that is sent under this id. */
  remember(id: string, original: Original): void {
    this.#originals.set(id, original);
  }

  /** Shows what the user thought of an answer, also after it changed. */
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
    // Parts only ever become text, images and files, which users may have, too.
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
    // A message that was kept elsewhere has nothing but its parts.
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
    const content = a2aPartToContent(part as A2APart); // the same shape, which may be written to
    this.#content.set(part, content);
    return content;
  }

  /** What was remembered of a message that is still on its way is not forgotten: it has not been shown yet. */
  #forget(present: ReadonlySet<string>): void {
    for (const id of this.#made.keys()) {
      if (present.has(id)) continue;
      for (const known of [this.#made, this.#originals, this.#kept, this.#feedback, this.#recorded]) known.delete(id);
    }
  }
}

/** Siblings, numbers of events and what is beside the parts are no reason to render. */
function looksTheSame(one: ConversationMessage, other: ConversationMessage): boolean {
  return one.role === 'ROLE_USER' || other.role === 'ROLE_USER' ? one.role === other.role : one.status === other.status;
}

/** Enough to answer its question after it was kept elsewhere. A task that still runs is not looked at: it would be built each time. */
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
