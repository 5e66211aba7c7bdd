/** Several conversations with one agent, of which one is shown. */
import type { Conversation } from './conversation.js';
import type { ConversationOptions } from './options.js';
import type { ThreadSummary } from './threads-entry.js';
import type { TabChannel } from './web-tabs-seat.js';

/** For all conversations; each has its own id, and `history` is that of one conversation only. */
export interface ThreadsOptions extends Omit<ConversationOptions, 'id' | 'history'> {
  /** Lists of different names have nothing to do with each other. Default 'default'. */
  readonly name?: string;
  /** How tabs tell each other that the list has changed. Default `new BroadcastChannel(name)`, unless there is no storage or `tabs` is false. */
  readonly channel?: (name: string) => TabChannel;
}

/** Never changes: whatever happens makes a new one. */
export interface ThreadsState {
  /** Newest first. One that nothing was said in yet is there as long as it is the active one. */
  readonly threads: readonly ThreadSummary[];
  readonly activeId: string;
  readonly active: Conversation;
  /** The list is on its way. */
  readonly isLoading: boolean;
}

export interface Threads {
  readonly state: ThreadsState;
  /** Called when `state` was replaced. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Reads what was kept, and shows the thread that was shown last. Done by the first `subscribe`; asking again gives the same promise. */
  load(): Promise<void>;
  /** Begins a thread and shows it; where the one that is shown is still empty, that one. */
  create(): Conversation;
  /** Shows a thread; one that is not in the list is begun under this id. What the other one is still being answered goes on behind. */
  switchTo(id: string): Conversation;
  /** An empty title gives the thread its own back. */
  rename(id: string, title: string): void;
  /** Forgets a thread and its conversation, in all tabs. Its task goes on. */
  remove(id: string): void;
  /** Leaves all conversations: streams end, tasks go on. */
  close(): void;
}
