/** Saves a conversation: soon after each change, at once for important changes, and never twice concurrently. */
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, toA2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';
import type { ConversationStorage } from './storage.js';

export interface KeeperParts {
  readonly storage: ConversationStorage;
  readonly key: string;
  readonly clock: Clock;
  /** `slim`: a smaller snapshot, used when the whole one cannot be stored. */
  snapshot(size: 'whole' | 'slim'): JsonValue;
  /** Called for the first failed save, and again only after a save has succeeded in between. */
  onError(error: A2AError): void;
}

const EVERY_MS = 250;
/** The pause is at least ten times as long as the last save, so at most about a tenth of the time is spent on saving. */
const PAUSE_PER_SAVE = 10;
/** Delay before a failed save is retried: a full storage usually stays full for a while. */
const AGAIN_MS = 5_000;

export class Keeper {
  readonly #parts: KeeperParts;
  #stop: (() => void) | undefined;
  #saving: Promise<void> | undefined;
  #isDue = false;
  #isUrgent = false;
  #hasFailed = false;
  #isClosed = false;
  /** Grows with the duration of the last save: a long conversation is saved less often. */
  #waitMs = EVERY_MS;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Schedules a save. */
  soon(): void {
    if (this.#isClosed) return;
    this.#isDue = true;
    if (this.#stop === undefined && this.#saving === undefined) this.#wait(this.#waitMs);
  }

  /** Resolves when all changes so far are saved, or their save has failed. Never rejects. */
  async flush(): Promise<void> {
    if (this.#isClosed) return;
    this.#isDue = true;
    this.#isUrgent = true;
    await this.#save();
  }

  /** Saves pending changes at once. Without pending changes it writes nothing, because another tab may have saved a newer state. */
  hurry(): void {
    if (this.#isDue) void this.flush();
  }

  /** Saves pending changes for the last time. Returns the promise of that save, or undefined if there is nothing to wait for. */
  close(): Promise<void> | undefined {
    if (this.#isClosed) return this.#saving;
    const last = this.#isDue || this.#saving !== undefined ? this.flush() : undefined;
    this.#isClosed = true;
    this.#stop?.();
    this.#stop = undefined;
    return last;
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
    this.#saving ??= this.#saveAll();
    return this.#saving;
  }

  /** Changes during a save are saved after it; urgent ones at once. */
  async #saveAll(): Promise<void> {
    let isSaved: boolean;
    do {
      this.#stop?.();
      this.#stop = undefined;
      this.#isDue = false;
      this.#isUrgent = false;
      isSaved = await this.#saveOnce();
    } while (isSaved && this.#isUrgent);
    // No await between the last check and this line: a change after it must start a new save.
    this.#saving = undefined;
    if (!isSaved) this.#isDue = true;
    if (this.#isDue && !this.#isClosed) this.#wait(isSaved ? this.#waitMs : AGAIN_MS);
  }

  async #saveOnce(): Promise<boolean> {
    const { clock } = this.#parts;
    const beganAt = clock.now();
    try {
      await this.#set();
      this.#waitMs = Math.max(EVERY_MS, (clock.now() - beganAt) * PAUSE_PER_SAVE);
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
