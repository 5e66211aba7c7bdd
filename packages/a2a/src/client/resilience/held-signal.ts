import type { ClientReply, EventStream } from '../call.js';
import type { AbortSource } from '../transports/exchange.js';

/**
 * A signal of our own that follows the caller's signal until it is released. The AbortSignal is created only on first access: it costs more
 * than most of a call, and exchanges that support `onAbort` do not need it.
 */
export class HeldSignal implements AbortSource {
  readonly #caller: AbortSignal | undefined;
  #controller: AbortController | undefined;
  #listeners: ((reason: unknown) => void)[] | undefined;
  /** Set only if the caller passed a signal; most calls have none. */
  #follow: (() => void) | undefined;
  #aborted = false;
  #reason: unknown;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (!caller) return; // untyped callers pass null for none
    const follow = (): void => this.abort(caller.reason);
    this.#follow = follow; // named first (decision 11)
    // AbortSignal.any would do the same, but stays registered on the caller's signal for its whole lifetime.
    if (caller.aborted) follow();
    else caller.addEventListener('abort', follow, { once: true });
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Calls back on abort, or immediately if already aborted. */
  onAbort(callback: (reason: unknown) => void): void {
    if (this.#aborted) callback(this.#reason);
    else if (this.#listeners === undefined) this.#listeners = [callback];
    else this.#listeners.push(callback);
  }

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#controller?.abort(reason);
    // An AbortSignal supplies a default reason if none is given.
    this.#reason = this.#controller?.signal.reason ?? reason;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener(this.#reason);
  }

  /** Removes the listener from the caller's signal, which may live much longer. */
  release(): void {
    if (this.#follow !== undefined) this.#caller?.removeEventListener('abort', this.#follow);
  }
}

export function holdSignal(caller: AbortSignal | undefined): HeldSignal {
  return new HeldSignal(caller);
}

/** Releases when the call ends: immediately for a value, and for a stream when it is no longer read. */
export function releaseAfter(reply: ClientReply, release: () => void): ClientReply {
  if (reply.kind === 'stream') return { ...reply, events: releasing(reply.events, release) };
  release();
  return reply;
}

function releasing(events: EventStream, release: () => void): EventStream {
  return {
    get retryMs() {
      return events.retryMs;
    },
    get skipped() {
      return events.skipped;
    },
    close() {
      release();
      events.close();
    },
    async *[Symbol.asyncIterator]() {
      try {
        yield* events;
      } finally {
        release();
      }
    },
  };
}
