/** A bus over a link to a server that passes texts on to all who hear it: what is the same for PostgreSQL and for Redis. */
import { systemClock } from '../platform/system-clock.js';
import type { EventBus, Move } from './bus.js';
import { lookText, newSender, parseText, toTexts } from './move-text.js';
import { Outbox } from './outbox.js';

/** The connection to that server; it comes back by itself when it is lost. */
export interface Link {
  /** Texts can be sent now. */
  readonly isOpen: boolean;
  /** Rejects when it is not known that they arrived. */
  send(texts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** What a link tells the bus. */
export interface LinkEvents {
  /** The name of this end: texts that begin with it are its own. */
  readonly sender: string;
  /** A text of somebody else. */
  heard(text: string): void;
  /** Whether texts of others arrive; true each time that they do again. */
  hearing(hears: boolean): void;
  /** Something that waits may be sent now. */
  opened(): void;
  warn(text: string): void;
}

export interface LinkedBusParts {
  /** Called once, when somebody listens or has something to say. */
  open(events: LinkEvents): Link;
  /** The longest text that the server takes. */
  readonly maxChars: number;
  onWarning(text: string): void;
}

/** So many tasks may wait to be told of while the server is away. */
const MAX_WAITING = 10_000;

/** Longer ones are nobody's: they are not even read. */
const MAX_HEARD_CHARS = 1024 * 1024;

interface Listener {
  onMoves(moves: readonly Move[]): void;
  onHearing?(hears: boolean): void;
}

export function linkedBus(parts: LinkedBusParts): EventBus {
  const bus = new LinkedBus(parts);
  return {
    notify: (moves) => bus.notify(moves),
    listen: (onMoves, onHearing) => bus.listen(onHearing ? { onMoves, onHearing } : { onMoves }),
    close: () => bus.close(),
  };
}

class LinkedBus {
  readonly #parts: LinkedBusParts;
  readonly #listeners = new Set<Listener>();
  readonly #outbox = new Outbox(MAX_WAITING);
  readonly #sender = newSender();
  #link: Link | undefined;
  /** Undefined until it is known. */
  #hears: boolean | undefined;
  #isScheduled = false;
  #sending: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #isGarbageReported = false;

  constructor(parts: LinkedBusParts) {
    this.#parts = parts;
  }

  notify(moves: readonly Move[]): void {
    if (this.#closing !== undefined || moves.length === 0) return;
    this.#outbox.add(moves);
    this.#open();
    this.#schedule();
  }

  listen(listener: Listener): () => void {
    if (this.#closing !== undefined) return () => {};
    this.#listeners.add(listener);
    this.#open();
    if (this.#hears === false) {
      queueMicrotask(() => {
        if (this.#hears === false && this.#listeners.has(listener)) this.#call(() => listener.onHearing?.(false));
      });
    }
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** What waits is still sent, if that is possible now. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#listeners.clear();
    await this.#sending;
    await this.#send();
    await this.#link?.close();
  }

  #open(): void {
    this.#link ??= this.#parts.open({
      sender: this.#sender,
      heard: (text) => this.#heard(text),
      hearing: (hears) => this.#hearing(hears),
      opened: () => this.#schedule(),
      warn: (text) => this.#warn(text),
    });
  }

  /** Once per turn of the loop, and not before the last texts are answered: under load, more moves share one statement. */
  #schedule(): void {
    if (this.#isScheduled || this.#sending !== undefined) return;
    this.#isScheduled = true;
    systemClock.soon(() => {
      this.#isScheduled = false;
      if (this.#closing === undefined) this.#sendAll();
    });
  }

  #sendAll(): void {
    if (this.#sending !== undefined) return;
    this.#sending = this.#send().then((isSent) => {
      this.#sending = undefined;
      if (isSent && !this.#outbox.isEmpty && this.#closing === undefined) this.#sendAll();
    });
  }

  /** Never rejects: what did not go waits for the next occasion. */
  async #send(): Promise<boolean> {
    const link = this.#link;
    if (!link?.isOpen || this.#outbox.isEmpty) return false;
    const parcel = this.#outbox.take();
    const texts = toTexts(this.#sender, parcel.moves.values(), this.#parts.maxChars);
    try {
      await link.send(parcel.look ? [...texts, lookText(this.#sender)] : texts);
      return true;
    } catch {
      this.#outbox.putBack(parcel);
      return false;
    }
  }

  #heard(text: string): void {
    if (text.startsWith(this.#sender)) return;
    const saying = text.length > MAX_HEARD_CHARS ? undefined : parseText(text);
    if (saying === undefined) {
      this.#reportGarbage();
      return;
    }
    if (saying.kind === 'look' && this.#hears !== false) this.#hearing(true); // who is deaf looks anyway
    if (saying.kind === 'moves') for (const listener of [...this.#listeners]) this.#call(() => listener.onMoves(saying.moves));
  }

  #hearing(hears: boolean): void {
    if (this.#hears === false && !hears) return;
    this.#hears = hears;
    for (const listener of [...this.#listeners]) this.#call(() => listener.onHearing?.(hears));
  }

  /** A listener that throws takes neither the others nor the connection with it. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (cause) {
      this.#warn(`a listener of the bus threw: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    }
  }

  #reportGarbage(): void {
    if (this.#isGarbageReported) return;
    this.#isGarbageReported = true;
    this.#warn('somebody sends what no node says on the channel of the bus; it is ignored, and not reported again');
  }

  #warn(text: string): void {
    if (this.#closing !== undefined) return;
    try {
      this.#parts.onWarning(text);
    } catch {
      // Who was to be told of failures failed: nobody is left to be told.
    }
  }
}
