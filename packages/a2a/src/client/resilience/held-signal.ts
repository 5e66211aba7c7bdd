import type { ClientReply, EventStream } from '../call.js';

/** A signal of our own that follows the caller's until it is released. */
export interface HeldSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Lets go of the caller's signal, which may live much longer. */
  release(): void;
}

// AbortSignal.any would do the same, and leave its mark on the caller's signal for as long as that lives.
export function holdSignal(caller: AbortSignal | undefined): HeldSignal {
  const controller = new AbortController();
  const follow = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) follow();
  else caller?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => caller?.removeEventListener('abort', follow),
  };
}

/** Releases when the call is over: with a value now, with a stream when nobody reads it any more. */
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
