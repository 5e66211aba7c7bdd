/** Where the list of threads is kept: one entry for each, so that two tabs never undo what the other wrote. */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import type { ConversationStorage } from './storage.js';
import { readEntry, type ThreadEntry, toKept } from './threads-entry.js';
import type { TabChannel } from './web-tabs-seat.js';

export interface ThreadStorageParts {
  readonly storage: ConversationStorage;
  readonly name: string;
  /** undefined: other tabs are not told. */
  readonly channel: TabChannel | undefined;
  onError(error: A2AError): void;
  /** Another tab has changed this one; undefined: it is gone. */
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

  /** All that can be read. What can not be is left where it is, and told. Never rejects. */
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

  /** What a page shows when it is opened again. */
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
      throw new A2AError('PARSE_ERROR', `what is kept under ${key} is no thread: it is passed over`);
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

/** A name may hold anything, and must not reach into that of another. */
function keyOf(name: string): string {
  return `parley:threads:${encodeURIComponent(name)}`;
}
