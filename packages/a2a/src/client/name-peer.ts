/**
 * Adds the name of the agent to the errors of a call, so that an agent that calls others can report which one failed. Also marks errors as
 * not retryable if the request may already have been carried out. The retry layer, which is inside, has decided before that.
 */
import { promiseOf } from '../platform/promise-of.js';
import { A2AError, isA2AError, isTransportError, markNotRetryable, markPeer } from '../protocol/errors.js';
import type { ClientCall, ClientInterceptor, EventStream } from './call.js';
import { toCallError } from './call-error.js';
import { mayBeDoneTwice } from './resilience/classify.js';

/** Must be the outermost interceptor, so that it sees every rejection and every broken stream. Converts any thrown value to an A2AError. */
export const namePeer: ClientInterceptor = (next) => (call) =>
  promiseOf(next, call).then(
    (reply) => {
      if (reply?.kind === 'stream') return { ...reply, events: new NamedStream(reply.events, call) };
      if (reply?.kind === 'value') return reply;
      // An untyped interceptor may forget to return the reply.
      throw marked(new A2AError('INTERNAL_ERROR', `An interceptor returned no reply to ${call.method}`), call);
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
      // The task is running: an error that the agent itself sent keeps its retryable flag.
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
