/** Stores the list of threads: one entry per thread, so that two tabs never overwrite each other's changes. */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import type { ConversationStorage } from './storage.js';
import { readEntry, type ThreadEntry, toKept } from './threads-entry.js';
import type { TabChannel } from './web-tabs-seat.js';

export interface ThreadStorageParts {
  readonly storage: ConversationStorage;
  readonly name: string;
  /** undefined: other tabs are not notified. */
  readonly channel: TabChannel | undefined;
  onError(error: A2AError): void;
  /** Called when another tab has changed this thread; undefined: the thread was removed. */
  onChange(id: string, entry: ThreadEntry | undefined): void;
}

export class ThreadStorage {
  readonly #parts: ThreadStorageParts;
  readonly #key: string;
  #isClosed = false;

  constructor(parts: ThreadStorageParts) {
    this.#parts = parts;
    this.#key = keyOf(parts.name);
    parts.channel?.addEventListener('message', ({ data }) => {
      if (isObject(data) && typeof data.thread === 'string') void this.#lookAgain(data.thread);
    });
  }

  /** Loads all readable entries. Unreadable entries stay in the storage and are reported. Never rejects. */
  async load(): Promise<{ readonly entries: readonly ThreadEntry[]; readonly activeId: string | undefined }> {
    const prefix = `${this.#key}:`;
    const keys = (await this.#attempt(() => this.#parts.storage.keys(prefix))) ?? [];
    const entries = await Promise.all(keys.map((key) => this.#read(key.slice(prefix.length))));
    const active = await this.#attempt(() => this.#parts.storage.get(this.#key));
    const activeId = isObject(active) && typeof active.activeId === 'string' ? active.activeId : undefined;
    return { entries: entries.filter((entry) => entry !== undefined && entry !== 'unreadable'), activeId };
  }

  save(entry: ThreadEntry): void {
    void this.#change(entry.id, () => this.#parts.storage.set(this.#keyOf(entry.id), toKept(entry)));
  }

  /** Saves the id of the thread that the page shows after a reload. */
  saveActive(activeId: string): void {
    void this.#attempt(() => this.#parts.storage.set(this.#key, { activeId }));
  }

  remove(id: string): void {
    void this.#change(id, () => this.#parts.storage.remove(this.#keyOf(id)));
  }

  close(): void {
    this.#isClosed = true;
    this.#parts.channel?.close();
  }

  #keyOf(id: string): string {
    return `${this.#key}:${id}`;
  }

  async #change(thread: string, write: () => Promise<void>): Promise<void> {
    await this.#attempt(write);
    if (!this.#isClosed) await this.#attempt(async () => this.#parts.channel?.postMessage({ thread }));
  }

  async #lookAgain(id: string): Promise<void> {
    const entry = await this.#read(id);
    if (entry !== 'unreadable' && !this.#isClosed) this.#parts.onChange(id, entry);
  }

  async #read(id: string): Promise<ThreadEntry | undefined | 'unreadable'> {
    const key = this.#keyOf(id);
    try {
      const kept = await this.#parts.storage.get(key);
      if (kept === undefined) return undefined;
      const entry = readEntry(id, kept);
      if (entry !== undefined) return entry;
      throw new A2AError('PARSE_ERROR', `the value of ${key} is not a thread; it is ignored`);
    } catch (thrown) {
      this.#parts.onError(toA2AError(thrown));
      return 'unreadable';
    }
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (thrown) {
      this.#parts.onError(toA2AError(thrown));
      return undefined;
    }
  }
}

/** Encoded, so that no list name can produce the keys of another list. */
function keyOf(name: string): string {
  return `parley:threads:${encodeURIComponent(name)}`;
}
