/** A conversation with an agent: observable, with branches, and the same after a reload of the page. */
import type { A2AError } from '../../protocol/errors.js';
import type { AgentCard, Artifact, JsonObject, Message, SendMessageConfiguration, Task } from '../../protocol/types.js';
import type { Input } from '../run/run-options.js';
import type { AgentMessage, ConversationMessage } from './message.js';

/** Never changes: whatever happens makes a new one, and what did not change in it stays the same object. */
export interface ConversationState {
  /** The thread. */
  readonly id: string;
  /** The branch that is shown, oldest first. */
  readonly messages: readonly ConversationMessage[];
  readonly isRunning: boolean;
  /** The history, the kept state or the state of the tab that leads is on its way. */
  readonly isLoading: boolean;
  /** What the agent gave the conversation. */
  readonly contextId: string | undefined;
  /** Of the last answer of the branch. */
  readonly task: Task | undefined;
  /** Of the last answer of the branch; the same list as long as none of them changed. */
  readonly artifacts: readonly Artifact[];
  /** What the agent waits for. */
  readonly question: PendingQuestion | undefined;
  /** undefined until it is fetched, and when it can not be. */
  readonly card: AgentCard | undefined;
  readonly connection: Connection;
  /** This page holds the stream; false: another tab of the browser does, and this one follows it. */
  readonly isLeader: boolean;
}

export interface PendingQuestion {
  /** The answer that ends with the question. */
  readonly messageId: string;
  readonly want: 'input' | 'auth';
  readonly prompt: string;
  readonly message: Message | undefined;
}

export type Connection =
  /** Nothing is under way. */
  | { readonly state: 'idle' }
  | { readonly state: 'live' }
  | { readonly state: 'reconnecting'; readonly attempt: number; readonly delayMs: number; readonly cause: string };

export interface TurnOptions {
  /** Goes behind this message instead of the last that is shown; null begins anew. One that is not known counts as the last shown. */
  readonly parentId?: string | null;
  /** Only puts it there, and sends nothing. Default true. */
  readonly startRun?: boolean;
  /** Beside what the conversation's `configuration` says. Kept with the answer: the message is sent with it again, whoever does so. */
  readonly configuration?: SendMessageConfiguration;
  /** Of the request, beside the conversation's `run.metadata`. Kept with the answer, as the configuration is. */
  readonly metadata?: JsonObject;
  /** Of the message. */
  readonly messageMetadata?: Message['metadata'];
  readonly referenceTaskIds?: readonly string[];
  /** The question that this answers: refused when it is not open any more, for example because another tab was quicker. */
  readonly answers?: string;
}

/** What goes out beside the message of a turn. */
export type TurnRequest = Pick<TurnOptions, 'configuration' | 'metadata'>;

export interface Conversation {
  /** Changes by being replaced: made for `useSyncExternalStore`. */
  readonly state: ConversationState;
  /** Called when `state` was replaced, at most once per frame while an answer streams in. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Everything that happens, as it happens: what the state is made of. What was kept, or comes from the tab that leads, is a `reset`. */
  onEvent(listener: (event: ConversationEvent) => void): () => void;
  /** Fetches the card, and what was kept or what the tab that leads has; when that one says nothing for 3 s, what was kept counts. Done by whatever comes first; asking again gives the same promise. */
  load(): Promise<void>;
  /**
   * Sends a message and follows the answer to its end or to a question. Rejects with the error that is on the message; nobody has to wait for it.
   * While an answer is still running, that one is cancelled first.
   */
  send(input: Input, options?: TurnOptions): Promise<AgentMessage | undefined>;
  /** Puts another message in the place of one of the user's, on a branch of its own, and sends it. */
  edit(messageId: string, input: Input, options?: Omit<TurnOptions, 'parentId'>): Promise<AgentMessage | undefined>;
  /** Asks for another answer to the nearest message of the user at or before this one. null: nothing to do. */
  reload(messageId: string | null): Promise<AgentMessage | undefined>;
  /** Ends the running answer here at once, and then at the agent. Without one it does nothing. */
  cancel(): Promise<void>;
  /** Shows the branch that this message is on, to its newest end. */
  switchTo(messageId: string): void;
  /** What is to become of a message whose `delivery` is 'unknown': send it again, or take it that it did not come. */
  settle(messageId: string, choice: 'resend' | 'discard'): Promise<AgentMessage | undefined>;
  /** Replaces what is shown: the same chain is updated in place and hidden branches stay; other parents replace everything. */
  setMessages(messages: readonly ConversationMessage[]): void;
  export(): ExportedConversation;
  /** Replaces everything. Broken trees (doubled ids, circles, parents that are not there) become a line. */
  import(exported: ExportedConversation): void;
  /** Forgets all messages and the context: the next one begins a new conversation. */
  clear(): void;
  /** Leaves: streams end, tasks go on. */
  close(): void;
}

export interface ExportedConversation {
  readonly headId?: string | null;
  readonly messages: readonly { readonly parentId: string | null; readonly message: ConversationMessage }[];
}

/** One step of a conversation, as plain JSON: tabs tell each other these, and Studio shows them. */
export type ConversationEvent = { readonly at: string } & (
  | {
      readonly kind: 'put';
      readonly message: ConversationMessage;
      readonly show: boolean;
      /** The message that goes out for this answer. */
      readonly sends?: Message;
      /** What the turn said beside it. */
      readonly configuration?: SendMessageConfiguration;
      readonly metadata?: JsonObject;
    }
  /** The agent's event, or what was rebuilt of it after a gap, in the answer `messageId`. */
  | { readonly kind: 'update'; readonly messageId: string; readonly update: PlainUpdate }
  | { readonly kind: 'status'; readonly messageId: string; readonly status: PlainStatus }
  | { readonly kind: 'delivery'; readonly messageId: string; readonly delivery: 'sending' | 'sent' | 'unknown' | 'failed' }
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'context'; readonly contextId: string | undefined }
  | { readonly kind: 'head'; readonly headId: string | null }
  | { readonly kind: 'reset'; readonly exported: ExportedConversation; readonly contextId: string | undefined }
);

/**
 * Of an update of a run what is new in it, without the whole task behind it. `inTask`: it is in the whole task that came before it.
 * `metadata` is that of the agent's event.
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

/** An error crosses to other tabs as data. */
export type PlainStatus =
  | Exclude<AgentMessage['status'], { readonly reason: 'error' }>
  | { readonly type: 'incomplete'; readonly reason: 'error'; readonly error: PlainError };

export interface PlainError extends Pick<A2AError, 'name' | 'message' | 'reason' | 'retryable'> {
  readonly httpStatus?: number;
}
