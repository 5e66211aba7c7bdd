import type { StreamResponse } from '../protocol/types.js';
import type { EventStream } from './call.js';

/** One answer as a stream, for those who read streams. */
export function singleEvent(response: StreamResponse): EventStream {
  let closed = false;
  return {
    retryMs: undefined,
    close() {
      closed = true;
    },
    async *[Symbol.asyncIterator]() {
      if (!closed) yield { seq: undefined, response };
    },
  };
}
