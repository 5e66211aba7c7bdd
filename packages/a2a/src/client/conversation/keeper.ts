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
/** At most a tenth of the time is spent on keeping. */
const PAUSE_PER_SAVE = 10;
/** A storage that is full stays so for a while. */
const AGAIN_MS = 5_000;

export class Keeper {
  readonly #parts: KeeperParts;
  #stop: (() => void) | undefined;
  #saving: Promise<void> | undefined;
  #isDue = false;
  #isUrgent = false;
  #hasFailed = false;
  #isClosed = false;
  /** What is long takes long to keep: then it is kept less often. */
  #waitMs = EVERY_MS;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** With the next save. */
  soon(): void {
    if (this.#isClosed) return;
    this.#isDue = true;
    if (this.#stop === undefined && this.#saving === undefined) this.#wait(this.#waitMs);
  }

  /** Resolves when all that has happened so far is saved, or could not be. Never rejects. */
  async flush(): Promise<void> {
    if (this.#isClosed) return;
    this.#isDue = true;
    this.#isUrgent = true;
    await this.#save();
  }

  /** Saves at once what waits for the next save. Where nothing does, what is kept stays: a tab that is for itself may have written something newer. */
  hurry(): void {
    if (this.#isDue) void this.flush();
  }

  /** Saves what is due, and then never again. Gives the promise of that, where there is something to wait for. */
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

  /** What comes in while it saves is saved behind it: at once where it matters. */
  async #saveAll(): Promise<void> {
    let isSaved: boolean;
    do {
      this.#stop?.();
      this.#stop = undefined;
      this.#isDue = false;
      this.#isUrgent = false;
      isSaved = await this.#saveOnce();
    } while (isSaved && this.#isUrgent);
    // In the same turn as the last look: what comes in from here on begins a save of its own.
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
