/** A conversation with an agent: it is observable, has branches, and survives a reload of the page. */
import type { A2AError } from '../../protocol/errors.js';
import type { AgentCard, Artifact, JsonObject, Message, SendMessageConfiguration, Task } from '../../protocol/types.js';
import type { Input } from '../run/run-options.js';
import type { AgentMessage, ConversationMessage } from './message.js';

/** An immutable state. Each change creates a new object; values inside that did not change keep their identity. */
export interface ConversationState {
  /** The id of the thread. */
  readonly id: string;
  /** The visible branch, oldest message first. */
  readonly messages: readonly ConversationMessage[];
  readonly isRunning: boolean;
  /** true while the history, the saved state or the state of the leader tab is loading. */
  readonly isLoading: boolean;
  /** The context id that the agent assigned. */
  readonly contextId: string | undefined;
  /** The task of the last answer on the visible branch. */
  readonly task: Task | undefined;
  /** The artifacts of the last answer on the visible branch. The list keeps its identity until one of them changes. */
  readonly artifacts: readonly Artifact[];
  /** The question that the agent waits for. */
  readonly question: PendingQuestion | undefined;
  /** undefined until the card is fetched, and when the fetch fails. */
  readonly card: AgentCard | undefined;
  readonly connection: Connection;
  /** true: this page holds the stream. false: another tab of the browser holds it, and this tab follows. */
  readonly isLeader: boolean;
}

/** The open question of the agent. Show its `prompt`; the next message that is sent answers it. */
export interface PendingQuestion {
  /** The id of the answer that ends with the question. */
  readonly messageId: string;
  readonly want: 'input' | 'auth';
  readonly prompt: string;
  readonly message: Message | undefined;
}

/** The state of the connection to the agent, to show for example that a stream reconnects. */
export type Connection =
  /** No answer is in progress. */
  | { readonly state: 'idle' }
  | { readonly state: 'live' }
  | { readonly state: 'reconnecting'; readonly attempt: number; readonly delayMs: number; readonly cause: string };

/** Options of one `send`: the position in the conversation, and what the request carries besides its message. */
export interface TurnOptions {
  /** The message to add this one after; null: start a new branch at the root. Default, and for an unknown id: the last visible message. */
  readonly parentId?: string | null;
  /** false: adds the message without sending it. Default true. */
  readonly startRun?: boolean;
  /**
   * Overrides fields of the conversation's `configuration`. Saved with the answer, so that a repeated send uses it again. Default: the
   * conversation's `configuration`.
   */
  readonly configuration?: SendMessageConfiguration;
  /**
   * Metadata of the request, merged over the conversation's `run.metadata`. Saved with the answer, like `configuration`. Default: only
   * `run.metadata`.
   */
  readonly metadata?: JsonObject;
  /** Metadata of the message. Default: the metadata of the input, if it is a whole message. */
  readonly messageMetadata?: Message['metadata'];
  /** The ids of earlier tasks that the message refers to. Default: none. */
  readonly referenceTaskIds?: readonly string[];
  /**
   * The id of the answer whose question this message answers. The send is refused if that question is no longer open, for example because
   * another tab answered first. Default: the send is not checked against a question.
   */
  readonly answers?: string;
}

/** The settings that a request carries besides its message. */
export type TurnRequest = Pick<TurnOptions, 'configuration' | 'metadata'>;

/** A conversation with one agent: its `state` to show, and commands such as `send`, `edit` and `cancel`. */
export interface Conversation {
  /** The current state. Each change replaces the object, as `useSyncExternalStore` requires. */
  readonly state: ConversationState;
  /** Calls the listener when `state` is replaced, at most once per frame while an answer streams in. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /**
   * Calls the listener for each event that changes the state. A state that was loaded from the storage or from the leader tab arrives as
   * `reset`. Returns the unsubscribe function.
   */
  onEvent(listener: (event: ConversationEvent) => void): () => void;
  /**
   * Loads the card and the saved state, or the state of the leader tab. If the leader does not respond within 3 s, the saved state is used.
   * The first command loads too; each call returns the same promise.
   */
  load(): Promise<void>;
  /**
   * Sends a message and follows the answer until it ends or asks a question. Rejects with the error of the answer; the promise may be left
   * unhandled. An answer that is still running is canceled first.
   */
  send(input: Input, options?: TurnOptions): Promise<AgentMessage | undefined>;
  /** Replaces a message of the user with a new one on a new branch, and sends it. */
  edit(messageId: string, input: Input, options?: Omit<TurnOptions, 'parentId'>): Promise<AgentMessage | undefined>;
  /** Requests another answer to the given user message, or to the last user message before the given message. null: no-op. */
  reload(messageId: string | null): Promise<AgentMessage | undefined>;
  /** Ends the running answer locally at once and then cancels its task. No-op if no answer is running. */
  cancel(): Promise<void>;
  /** Shows the branch of this message, down to its newest message. */
  switchTo(messageId: string): void;
  /** Decides about a message whose `delivery` is 'unknown': send it again, or mark it as failed. */
  settle(messageId: string, choice: 'resend' | 'discard'): Promise<AgentMessage | undefined>;
  /** Replaces the visible messages. The same chain is updated in place, and hidden branches stay. Any other chain replaces all messages. */
  setMessages(messages: readonly ConversationMessage[]): void;
  export(): ExportedConversation;
  /** Replaces all messages. An invalid tree (duplicate ids, cycles, missing parents) becomes one branch with all messages. */
  import(exported: ExportedConversation): void;
  /** Removes all messages and the context; the next message starts a new conversation. */
  clear(): void;
  /** Closes the conversation: streams end, tasks continue. */
  close(): void;
}

/** All messages of a conversation with their positions, to save it and to load it again. */
export interface ExportedConversation {
  readonly headId?: string | null;
  readonly messages: readonly { readonly parentId: string | null; readonly message: ConversationMessage }[];
}

/** One change of a conversation, as plain JSON. Tabs exchange these events, and Studio shows them. */
export type ConversationEvent = { readonly at: string } & (
  | {
      readonly kind: 'put';
      readonly message: ConversationMessage;
      readonly show: boolean;
      /** The message that is sent for this answer. */
      readonly sends?: Message;
      /** The settings of the request, besides its message. */
      readonly configuration?: SendMessageConfiguration;
      readonly metadata?: JsonObject;
    }
  /** An event of the agent for the answer `messageId`, received live or rebuilt after a gap. */
  | { readonly kind: 'update'; readonly messageId: string; readonly update: PlainUpdate }
  | { readonly kind: 'status'; readonly messageId: string; readonly status: PlainStatus }
  | { readonly kind: 'delivery'; readonly messageId: string; readonly delivery: 'sending' | 'sent' | 'unknown' | 'failed' }
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'context'; readonly contextId: string | undefined }
  | { readonly kind: 'head'; readonly headId: string | null }
  | { readonly kind: 'reset'; readonly exported: ExportedConversation; readonly contextId: string | undefined }
);

/**
 * The new data of a run's update, without the full task. `inTask`: the full task that came before already contains this update. `metadata`
 * is the metadata of the agent's event.
 */
export type PlainUpdate = { readonly seq?: number; readonly recovered?: true; readonly inTask?: true } & (
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'state'; readonly status: Task['status']; readonly metadata?: JsonObject }
  | {
      readonly kind: 'artifact';
      readonly chunk: Artifact;
      readonly append: boolean;
      readonly last: boolean;
      readonly metadata?: JsonObject;
    }
  | { readonly kind: 'message'; readonly message: Message }
);

/** A status whose error is plain data, so that it can be sent to other tabs. */
export type PlainStatus =
  | Exclude<AgentMessage['status'], { readonly reason: 'error' }>
  | { readonly type: 'incomplete'; readonly reason: 'error'; readonly error: PlainError };

/** An error as plain JSON, as events and saved conversations contain it. */
export interface PlainError extends Pick<A2AError, 'name' | 'message' | 'reason' | 'retryable'> {
  readonly httpStatus?: number;
}
