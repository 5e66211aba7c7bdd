/** Several conversations with one agent, one of them active. */
import type { Conversation } from './conversation.js';
import type { ConversationOptions } from './options.js';
import type { ThreadSummary } from './threads-entry.js';
import type { TabChannel } from './web-tabs-seat.js';

/** Options for all conversations. `id` and `history` are not available here, because they belong to a single conversation. */
export interface ThreadsOptions extends Omit<ConversationOptions, 'id' | 'history'> {
  /** The name of the list; lists with different names are independent. Default 'default'. */
  readonly name?: string;
  /** Notifies other tabs of changes to the list. Default: `new BroadcastChannel(name)` if there is a storage and `tabs` is not false. */
  readonly channel?: (name: string) => TabChannel;
}

/** An immutable state; each change creates a new object. */
export interface ThreadsState {
  /** Newest first. A thread without messages is listed only while it is active. */
  readonly threads: readonly ThreadSummary[];
  readonly activeId: string;
  readonly active: Conversation;
  /** true while the list is loading. */
  readonly isLoading: boolean;
}

/** The conversations of a user, one of which is active: list, create, show, rename and delete them. */
export interface Threads {
  readonly state: ThreadsState;
  /** Calls the listener when `state` is replaced. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Loads the saved list and shows the thread that was active last. The first `subscribe` calls it; each call returns the same promise. */
  load(): Promise<void>;
  /** Creates a thread and shows it. If the active thread is still empty, that thread is returned. */
  create(): Conversation;
  /** Shows a thread; an unknown id creates a thread with this id. A running answer in the previous thread continues in the background. */
  switchTo(id: string): Conversation;
  /** Sets the title; an empty title restores the default title. */
  rename(id: string, title: string): void;
  /** Removes a thread and its conversation in all tabs. Its task continues. */
  remove(id: string): void;
  /** Closes all conversations: streams end, tasks continue. */
  close(): void;
}
