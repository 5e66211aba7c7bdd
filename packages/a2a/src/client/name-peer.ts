/**
 * Errors of a call say which agent it was for, so that an agent that calls others and lets one escape can name who failed it; and they call
 * nothing retryable that may have been done. Inside, the retry layer has decided by what it knows.
 */
import { promiseOf } from '../platform/promise-of.js';
import { A2AError, isA2AError, isTransportError, markNotRetryable, markPeer } from '../protocol/errors.js';
import type { ClientCall, ClientInterceptor, EventStream } from './call.js';
import { toCallError } from './call-error.js';
import { mayBeDoneTwice } from './resilience/classify.js';

/** Goes outermost, so that nothing escapes it: neither a rejection nor a stream that breaks. Whatever was thrown inside is an error of ours then. */
export const namePeer: ClientInterceptor = (next) => (call) =>
  promiseOf(next, call).then(
    (reply) => {
      if (reply?.kind === 'stream') return { ...reply, events: new NamedStream(reply.events, call) };
      if (reply?.kind === 'value') return reply;
      // No types keep a user's interceptor from forgetting it.
      throw marked(new A2AError('INTERNAL_ERROR', `An interceptor gave no reply to ${call.method}`), call);
    },
    (error) => {
      throw marked(error, call);
    },
  );

class NamedStream implements EventStream {
  readonly #events: EventStream;
  readonly #call: ClientCall;

  constructor(events: EventStream, call: ClientCall) {
    this.#events = events;
    this.#call = call;
  }

  get retryMs(): number | undefined {
    return this.#events.retryMs;
  }

  get skipped(): EventStream['skipped'] {
    return this.#events.skipped;
  }

  close(): void {
    this.#events.close();
  }

  [Symbol.asyncIterator](): ReturnType<EventStream[typeof Symbol.asyncIterator]> {
    const events = this.#events[Symbol.asyncIterator]();
    const fail = (error: unknown): never => {
      // Of a task that is under way, what the agent itself says stands as it is.
      throw isTransportError(error) ? marked(error, this.#call) : named(error, this.#call);
    };
    return {
      next: () => events.next().catch(fail),
      return: async () => (await events.return?.()) ?? { done: true, value: undefined },
    };
  }
}

function marked(thrown: unknown, call: ClientCall): unknown {
  const error = toCallError(thrown, call.signal);
  if (error.retryable && mayBeDoneTwice(error, call)) markNotRetryable(error);
  return named(error, call);
}

function named(error: unknown, { peer }: ClientCall): unknown {
  return isA2AError(error) ? markPeer(error, peer.name) : error;
}
