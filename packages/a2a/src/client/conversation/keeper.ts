/** Keeps a conversation in its storage: soon after each change, at once where it matters, and never twice at the same time. */
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, toA2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';
import type { ConversationStorage } from './storage.js';

export interface KeeperParts {
  readonly storage: ConversationStorage;
  readonly key: string;
  readonly clock: Clock;
  /** `slim`: with less, because there was no room for all. */
  snapshot(size: 'whole' | 'slim'): JsonValue;
  /** Told once when saving fails, until it works again. */
  onError(error: A2AError): void;
}

const EVERY_MS = 250;
/** A storage that is full stays so for a while. */
const AGAIN_MS = 5_000;

export class Keeper {
  readonly #parts: KeeperParts;
  #stop: (() => void) | undefined;
  #saving: Promise<void> | undefined;
  #isDue = false;
  #hasFailed = false;
  #isClosed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** With the next save. */
  soon(): void {
    if (this.#isClosed) return;
    this.#isDue = true;
    if (this.#stop === undefined && this.#saving === undefined) this.#wait(EVERY_MS);
  }

  /** Resolves when all that has happened so far is saved, or could not be. Never rejects. */
  async flush(): Promise<void> {
    if (this.#isClosed) return;
    this.#isDue = true;
    await this.#save();
  }

  /** Saves what is due, and then never again. */
  close(): void {
    if (this.#isClosed) return;
    if (this.#isDue || this.#saving !== undefined) void this.flush();
    this.#isClosed = true;
    this.#stop?.();
    this.#stop = undefined;
  }

  #wait(delayMs: number): void {
    this.#stop = this.#parts.clock.after(
      delayMs,
      () => {
        this.#stop = undefined;
        void this.#save();
      },
      { background: true },
    );
  }

  #save(): Promise<void> {
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  /** What comes in while it saves is saved right behind. */
  async #saveAll(): Promise<void> {
    this.#stop?.();
    this.#stop = undefined;
    while (this.#isDue) {
      this.#isDue = false;
      if (await this.#saveOnce()) continue;
      this.#isDue = true;
      if (!this.#isClosed) this.#wait(AGAIN_MS);
      return;
    }
  }

  async #saveOnce(): Promise<boolean> {
    try {
      await this.#set();
      this.#hasFailed = false;
      return true;
    } catch (thrown) {
      if (!this.#hasFailed) this.#parts.onError(toA2AError(thrown));
      this.#hasFailed = true;
      return false;
    }
  }

  async #set(): Promise<void> {
    const { storage, key, snapshot } = this.#parts;
    try {
      await storage.set(key, snapshot('whole'));
    } catch {
      await storage.set(key, snapshot('slim'));
    }
  }
}
