/** `createThreads()`: holds the open conversations, the active thread and the list of all threads. */
import { checkOptions } from '../../platform/check-options.js';
import { randomIds } from '../../platform/random-ids.js';
import { systemClock } from '../../platform/system-clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { toIsoTime } from '../../protocol/iso-time.js';
import type { Client } from '../client.js';
import { type Callbacks, createCallbacks } from './callbacks.js';
import type { Conversation } from './conversation.js';
import { createConversation } from './create-conversation.js';
import { memoryStorage } from './memory-storage.js';
import { THREADS_RULES } from './option-rules.js';
import { savedKey } from './saved.js';
import type { ConversationStorage } from './storage.js';
import type { Threads, ThreadsOptions, ThreadsState } from './threads.js';
import { byTime, isSameEntry, renamed, summarize, type ThreadEntry } from './threads-entry.js';
import { ThreadStorage } from './threads-storage.js';
import { findChannel } from './web-tabs.js';
import type { TabChannel } from './web-tabs-seat.js';

/** Creates a list of threads with the client's agent. Nothing is read before the first `subscribe` or `load`. */
export function createThreads(client: Client, options: ThreadsOptions = {}): Threads {
  checkOptions('createThreads', options, THREADS_RULES);
  if (options.name === '') throw new A2AError('INVALID_PARAMS', 'the name of a thread list must not be empty');
  return new OpenThreads(client, options);
}

/** An open conversation. */
interface Live {
  readonly conversation: Conversation;
  stop(): void;
  /** Summarizes the messages at the last check, so that a frame without a change does no work. */
  seen: unknown;
  /** The conversation has had at least one message. */
  hasSpoken: boolean;
  /** The thread was removed: nothing of it is saved any more. */
  isForgotten: boolean;
}

/** Each stream in the background holds a connection, and browsers allow few connections per host. */
const MAX_REVIVED = 3;

class OpenThreads implements Threads {
  readonly #client: Client;
  readonly #options: ThreadsOptions;
  readonly #storage: ConversationStorage;
  readonly #kept: ThreadStorage;
  readonly #callbacks: Callbacks;
  readonly #newId: () => string;
  readonly #entries = new Map<string, ThreadEntry>();
  readonly #live = new Map<string, Live>();
  readonly #listeners = new Set<() => void>();
  #state: ThreadsState;
  #loading: Promise<void> | undefined;
  /** The user has not chosen a thread yet. */
  #isUntouched = true;
  #isClosed = false;

  constructor(client: Client, options: ThreadsOptions) {
    const { storage = memoryStorage(), newId = randomIds.messageId, name = 'default' } = options;
    this.#client = client;
    this.#options = options;
    this.#storage = storage;
    this.#newId = newId;
    this.#callbacks = createCallbacks(options);
    this.#kept = new ThreadStorage({
      storage,
      name,
      channel: openChannel(options, name),
      onError: (error) => this.#callbacks.error(error),
      onChange: (id, entry) => this.#changedElsewhere(id, entry),
    });
    const activeId = newId();
    const { conversation: active } = this.#open(activeId);
    this.#state = Object.freeze({ threads: [this.#draft(activeId)], activeId, active, isLoading: false });
  }

  get state(): ThreadsState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    if (!this.#isClosed) void this.load();
    return () => {
      this.#listeners.delete(own);
    };
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  create(): Conversation {
    this.#check();
    this.#isUntouched = false;
    const { active, activeId } = this.#state;
    const isEmpty = !this.#entries.has(activeId) && active.state.messages.length === 0;
    return isEmpty ? active : this.#show(this.#newId());
  }

  switchTo(id: string): Conversation {
    this.#check();
    if (id === '') throw new A2AError('INVALID_PARAMS', 'the id of a thread must not be empty');
    this.#isUntouched = false;
    return this.#show(id);
  }

  rename(id: string, title: string): void {
    this.#check();
    const entry = this.#entries.get(id) ?? (id === this.#state.activeId ? this.#draft(id) : undefined);
    if (entry === undefined) throw new A2AError('INVALID_PARAMS', `there is no thread with the id ${id}`);
    const given = renamed(entry, title);
    const live = this.#live.get(id);
    this.#put(live?.hasSpoken ? summarize(given, live.conversation.state) : given);
  }

  remove(id: string): void {
    this.#check();
    this.#forget(id);
    this.#kept.remove(id);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const id of [...this.#live.keys()]) this.#leave(id);
    this.#kept.close();
    this.#listeners.clear();
  }

  async #load(): Promise<void> {
    this.#publish({ isLoading: true });
    const { entries, activeId } = await this.#kept.load();
    if (this.#isClosed) return;
    // Entries that changed during the load are newer than the loaded ones.
    for (const entry of entries) if (!this.#entries.has(entry.id)) this.#entries.set(entry.id, entry);
    const isWanted = this.#isUntouched && activeId !== undefined && this.#entries.has(activeId) && !this.#entries.has(this.#state.activeId);
    if (isWanted) this.#show(activeId);
    else void this.#state.active.load();
    this.#revive();
    this.#publish({ isLoading: false });
  }

  /** Resumes answers that were in progress when the page was closed. */
  #revive(): void {
    const running = [...this.#entries.values()].filter(({ id, isRunning }) => isRunning && !this.#live.has(id)).sort(byTime);
    for (const { id } of running.slice(0, MAX_REVIVED)) {
      const { conversation } = this.#open(id);
      // `#noticed` closes the conversation again if its answer is no longer running.
      void conversation.load().then(() => this.#noticed(id));
    }
  }

  #show(id: string): Conversation {
    const before = this.#state.activeId;
    const { conversation: active } = this.#live.get(id) ?? this.#open(id);
    void active.load();
    if (id === before) return active;
    this.#publish({ activeId: id, active });
    this.#kept.saveActive(id);
    if (this.#live.get(before)?.conversation.state.isRunning === false) this.#leave(before);
    return active;
  }

  #open(id: string): Live {
    const { name: _name, channel: _channel, ...options } = this.#options;
    // Tabs cannot share a storage that is in memory.
    const alone = options.storage === undefined ? { tabs: false as const } : {};
    const storage: ConversationStorage = {
      get: (key) => this.#storage.get(key),
      keys: (prefix) => this.#storage.keys(prefix),
      remove: (key) => this.#storage.remove(key),
      // A conversation saves once more when it is closed. This must not restore a removed thread.
      set: async (key, value) => (live.isForgotten ? undefined : this.#storage.set(key, value)),
    };
    const conversation = createConversation(this.#client, { ...options, ...alone, storage, id });
    const stop = conversation.subscribe(() => this.#noticed(id));
    const live: Live = { conversation, stop, seen: undefined, hasSpoken: false, isForgotten: false };
    this.#live.set(id, live);
    return live;
  }

  #leave(id: string): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    this.#live.delete(id);
    live.stop();
    live.conversation.close();
  }

  #noticed(id: string): void {
    const live = this.#live.get(id);
    if (live === undefined || this.#isClosed) return;
    const { state } = live.conversation;
    const { messages, isRunning, isLoading } = state;
    const seen = isRunning ? `${messages.length} ${messages[0]?.id} ${messages.at(-1)?.id}` : messages;
    if (!isLoading && seen !== live.seen && (live.hasSpoken || messages.length > 0)) {
      live.seen = seen;
      live.hasSpoken = true;
      this.#put(summarize(this.#entries.get(id) ?? this.#draft(id), state), state.isLeader);
    }
    if (!isRunning && !isLoading && id !== this.#state.activeId) this.#leave(id);
  }

  /** Only the leader tab saves the entry (`keep`); one save is enough. */
  #put(entry: ThreadEntry, keep = true): void {
    const before = this.#entries.get(entry.id);
    if (before !== undefined && isSameEntry(before, entry)) return;
    this.#entries.set(entry.id, entry);
    if (keep) this.#kept.save(entry);
    if (before === undefined && entry.id === this.#state.activeId) this.#kept.saveActive(entry.id);
    this.#publish({});
  }

  #changedElsewhere(id: string, entry: ThreadEntry | undefined): void {
    if (entry === undefined) {
      if (this.#entries.has(id)) this.#forget(id);
      return;
    }
    const before = this.#entries.get(id);
    if (before !== undefined && isSameEntry(before, entry)) return;
    this.#entries.set(id, entry);
    this.#publish({});
  }

  #forget(id: string): void {
    this.#entries.delete(id);
    const live = this.#live.get(id);
    if (live !== undefined) live.isForgotten = true;
    if (id === this.#state.activeId) {
      const [newest] = [...this.#entries.values()].sort(byTime);
      this.#leave(id);
      this.#show(newest?.id ?? this.#newId());
    } else {
      this.#leave(id);
      this.#publish({});
    }
    this.#storage.remove(savedKey(id)).catch((thrown: unknown) => this.#callbacks.error(toA2AError(thrown)));
  }

  #draft(id: string): ThreadEntry {
    const { clock = systemClock } = this.#options;
    return { id, title: '', updatedAt: toIsoTime(clock.now()), waits: false, isRunning: false, isRenamed: false };
  }

  #publish(change: Partial<Omit<ThreadsState, 'threads'>>): void {
    const state = { ...this.#state, ...change };
    const { activeId } = state;
    const draft = this.#entries.has(activeId) ? [] : [this.#state.threads.find(({ id }) => id === activeId) ?? this.#draft(activeId)];
    this.#state = Object.freeze({ ...state, threads: [...draft, ...[...this.#entries.values()].sort(byTime)] });
    for (const listener of [...this.#listeners]) this.#callbacks.listener(listener);
  }

  #check(): void {
    if (this.#isClosed) throw new A2AError('INVALID_REQUEST', 'the threads are closed');
  }
}

function openChannel({ channel = findChannel(), storage, tabs }: ThreadsOptions, name: string): TabChannel | undefined {
  if (storage === undefined || tabs === false) return undefined;
  try {
    return channel?.(`parley:threads:${name}`);
  } catch {
    // Without a channel the list does not show changes by other tabs until the page is reloaded.
    return undefined;
  }
}
