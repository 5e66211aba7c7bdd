/** What a conversation can be told. */
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { Artifact, SendMessageConfiguration } from '../../protocol/types.js';
import type { RunOptions } from '../run/run-options.js';
import type { ExportedConversation } from './conversation.js';
import type { ConversationMessage } from './message.js';
import type { ConversationStorage } from './storage.js';
import type { Tabs } from './tabs.js';

export interface ConversationOptions {
  /** The thread. Default: a new id; with a storage, say it, so that it is found again. */
  readonly id?: string;
  /** Keeps the conversation over reloads: `memoryStorage()`, `webStorage(localStorage)`, `indexedDb()`, or your own. Default: nothing is kept. */
  readonly storage?: ConversationStorage;
  /** Default `webTabs()` where there is a storage and the browser can do it: one stream for all tabs. `false`: each tab for itself. */
  readonly tabs?: Tabs | false;
  /** Where messages are kept elsewhere, for example on your server. Not with `storage`. */
  readonly history?: HistoryAdapter;
  /** The context to begin in; what the agent gives replaces it, and a new thread begins with it again. */
  readonly contextId?: string;
  /** Sent with each message unless the turn says otherwise. */
  readonly configuration?: SendMessageConfiguration;
  /**
   * For every run: extensions, tools, headers, metadata of the request, limits. A stream that breaks is come back to for some minutes unless `reconnect` says
   * otherwise: a laptop that wakes up has its network later.
   */
  readonly run?: Pick<
    RunOptions,
    'extensions' | 'headers' | 'keepParts' | 'metadata' | 'mode' | 'reconnect' | 'pollingIntervalMs' | 'timeouts' | 'tools'
  >;
  readonly onError?: (error: A2AError) => void | Promise<void>;
  readonly onCancel?: () => void | Promise<void>;
  /** An artifact is whole: its last chunk came, or its task ended. */
  readonly onArtifactComplete?: (artifact: Artifact) => void | Promise<void>;
  /** How often readers are told while an answer streams in. Default 16. */
  readonly frameMs?: number;
  readonly clock?: Clock;
  readonly newId?: () => string;
}

export interface HistoryAdapter {
  load(): Promise<ExportedConversation>;
  /** After a user's message, and after an answer that is complete, incomplete or waits. One that failed is tried again with the next. */
  append(item: { readonly parentId: string | null; readonly message: ConversationMessage }): Promise<void>;
}
