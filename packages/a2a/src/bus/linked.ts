/** A bus over a link to a server that broadcasts texts. It contains what PostgreSQL and Redis have in common. */
import { systemClock } from '../platform/system-clock.js';
import type { EventBus, Move } from './bus.js';
import { lookText, newSender, parseText, toTexts } from './move-text.js';
import { Outbox } from './outbox.js';

/** The connection to that server; it reconnects by itself. */
export interface Link {
  /** True when texts can be sent now. */
  readonly isOpen: boolean;
  /** Rejects when the delivery is not confirmed. */
  send(texts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Callbacks from the link to the bus. */
export interface LinkEvents {
  /** The name of this bus instance: texts that begin with it are its own. */
  readonly sender: string;
  /** Called with a text from another node. */
  heard(text: string): void;
  /** Reports whether texts of other nodes arrive; true again after each reconnect. */
  hearing(hears: boolean): void;
  /** Waiting texts can be sent now. */
  opened(): void;
  warn(text: string): void;
}

export interface LinkedBusParts {
  /** Called once, at the first `listen` or `notify`. */
  open(events: LinkEvents): Link;
  /** The maximum length of a text on this server. */
  readonly maxChars: number;
  onWarning(text: string): void;
}

/** Maximum number of waiting moves while the server is unreachable. */
const MAX_WAITING = 10_000;

/** Longer texts cannot be from a node, and are not parsed. */
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
  /** Whether texts of other nodes arrive; undefined until the link reports it. */
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

  /** Sends the waiting moves first, if that is possible now. */
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

  /** Sends once per event-loop iteration, and not before the previous send is confirmed. Under load, more moves share one message. */
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

  /** Never rejects: moves that were not sent wait for the next attempt. */
  async #send(): Promise<boolean> {
    const link = this.#link;
    if (!link?.isOpen || this.#outbox.isEmpty) return false;
    const batch = this.#outbox.take();
    const texts = toTexts(this.#sender, batch.moves.values(), this.#parts.maxChars);
    try {
      await link.send(batch.look ? [...texts, lookText(this.#sender)] : texts);
      return true;
    } catch {
      this.#outbox.putBack(batch);
      return false;
    }
  }

  #heard(text: string): void {
    if (text.startsWith(this.#sender)) return;
    const message = text.length > MAX_HEARD_CHARS ? undefined : parseText(text);
    if (message === undefined) {
      this.#reportGarbage();
      return;
    }
    if (message.kind === 'look' && this.#hears !== false) this.#hearing(true); // a bus that does not receive makes its listeners check the store anyway
    if (message.kind === 'moves') for (const listener of [...this.#listeners]) this.#call(() => listener.onMoves(message.moves));
  }

  #hearing(hears: boolean): void {
    if (this.#hears === false && !hears) return;
    this.#hears = hears;
    for (const listener of [...this.#listeners]) this.#call(() => listener.onHearing?.(hears));
  }

  /** A listener that throws must not affect other listeners or the connection. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (cause) {
      this.#warn(`A listener of the bus threw: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    }
  }

  #reportGarbage(): void {
    if (this.#isGarbageReported) return;
    this.#isGarbageReported = true;
    this.#warn('The bus channel carries messages that no Parley node sends; they are ignored. This is reported once.');
  }

  #warn(text: string): void {
    if (this.#closing !== undefined) return;
    try {
      this.#parts.onWarning(text);
    } catch {
      // The warning handler itself failed; there is no other place to report to.
    }
  }
}
