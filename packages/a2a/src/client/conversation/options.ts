/** Options of a conversation. */
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { Artifact, SendMessageConfiguration } from '../../protocol/types.js';
import type { RunOptions } from '../run/run-options.js';
import type { ExportedConversation } from './conversation.js';
import type { ConversationMessage } from './message.js';
import type { ConversationStorage } from './storage.js';
import type { Tabs } from './tabs.js';

/** Options of `createConversation`: where it is saved, what each message carries, and callbacks. */
export interface ConversationOptions {
  /** The id of the thread. Default: a new id. Set it if you use a storage, so that the conversation is found again. */
  readonly id?: string;
  /** Saves the conversation across reloads: `memoryStorage()`, `webStorage(localStorage)`, `indexedDb()`, or your own. Default: none. */
  readonly storage?: ConversationStorage;
  /**
   * Shares one stream among all tabs of the browser. Default: `webTabs()` if there is a storage and the browser supports it. `false`: each
   * tab has its own stream.
   */
  readonly tabs?: Tabs | false;
  /** Loads and saves messages elsewhere, for example on your server. Cannot be combined with `storage`. Default: none. */
  readonly history?: HistoryAdapter;
  /**
   * The context to start in. The agent's context id replaces it; `clear()` and new threads start with it again. Default: the agent creates
   * a context.
   */
  readonly contextId?: string;
  /** Sent with each message. `configuration` of a single send overrides it. Default: none. */
  readonly configuration?: SendMessageConfiguration;
  /**
   * Options for every run: extensions, tools, headers, metadata of the request, limits. By default a broken stream is reconnected for some
   * minutes, because a laptop that wakes up gets its network later; `reconnect` changes this.
   */
  readonly run?: Pick<
    RunOptions,
    'extensions' | 'headers' | 'keepParts' | 'metadata' | 'mode' | 'reconnect' | 'pollingIntervalMs' | 'timeouts' | 'tools'
  >;
  /** Receives the errors of answers, commands and the storage. Default: errors of answers are only in the `state`, others are dropped. */
  readonly onError?: (error: A2AError) => void | Promise<void>;
  /** Called when the user cancels an answer. Default: no callback. */
  readonly onCancel?: () => void | Promise<void>;
  /** Called when an artifact is complete: its last chunk arrived, or its task ended. Default: no callback. */
  readonly onArtifactComplete?: (artifact: Artifact) => void | Promise<void>;
  /** Minimum interval between two state updates while an answer streams in, in milliseconds. Default 16. */
  readonly frameMs?: number;
  /** Measures frames and delays. Default: the system clock. */
  readonly clock?: Clock;
  /** Creates the ids of messages and threads. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Loads and saves the messages of a conversation. Implement it to keep them on your server. */
export interface HistoryAdapter {
  load(): Promise<ExportedConversation>;
  /**
   * Called for each user message, and for each answer that completes, ends incomplete or waits for the caller. A failed call is retried
   * with the next message.
   */
  append(item: { readonly parentId: string | null; readonly message: ConversationMessage }): Promise<void>;
}
