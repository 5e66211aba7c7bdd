/** Which events of a stream were passed over because they could not be read, told to whoever opened the stream. */
import type { ClientInterceptor, EventStream } from '../client/call.js';

export interface SkippedFrames {
  readonly interceptor: ClientInterceptor;
  /** Watches the stream of the call with that request id. */
  watch(requestId: string): Watched;
}

interface Watched {
  /** What was wrong with the first event that was passed over. */
  reason(): string | undefined;
  /** To be called in the end, always. */
  stop(): void;
}

export function skippedFrames(): SkippedFrames {
  const streams = new Map<string, EventStream | undefined>();
  return {
    interceptor: (next) => async (call) => {
      const reply = await next(call);
      if (reply.kind === 'stream' && streams.has(call.requestId)) streams.set(call.requestId, reply.events);
      return reply;
    },
    watch(requestId) {
      streams.set(requestId, undefined);
      return {
        reason: () => streams.get(requestId)?.skipped?.first,
        stop: () => void streams.delete(requestId),
      };
    },
  };
}
