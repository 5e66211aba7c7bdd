/** Errors of a call say which agent it was for: an agent that calls others and lets one escape can then name who failed it. */
import { isA2AError, markPeer } from '../protocol/errors.js';
import type { ClientInterceptor, ClientReply, EventStream } from './call.js';

/** Goes outermost, so that nothing escapes it: neither a rejection nor a stream that breaks. */
export const namePeer: ClientInterceptor = (next) => async (call) => {
  const { name } = call.peer;
  try {
    const reply: ClientReply = await next(call);
    return reply.kind === 'stream' ? { ...reply, events: new NamedStream(reply.events, name) } : reply;
  } catch (error) {
    throw marked(error, name);
  }
};

class NamedStream implements EventStream {
  readonly #events: EventStream;
  readonly #name: string;

  constructor(events: EventStream, name: string) {
    this.#events = events;
    this.#name = name;
  }

  get retryMs(): number | undefined {
    return this.#events.retryMs;
  }

  close(): void {
    this.#events.close();
  }

  [Symbol.asyncIterator](): ReturnType<EventStream[typeof Symbol.asyncIterator]> {
    const events = this.#events[Symbol.asyncIterator]();
    const fail = (error: unknown): never => {
      throw marked(error, this.#name);
    };
    return {
      next: () => events.next().catch(fail),
      return: async () => (await events.return?.()) ?? { done: true, value: undefined },
    };
  }
}

function marked(error: unknown, name: string): unknown {
  return isA2AError(error) ? markPeer(error, name) : error;
}
