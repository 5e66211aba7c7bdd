/** Records which events of a stream were skipped as unreadable, for the caller that opened the stream. */
import type { ClientInterceptor, EventStream } from '../client/call.js';

export interface SkippedFrames {
  readonly interceptor: ClientInterceptor;
  /** Watches the stream of the call with this request id. */
  watch(requestId: string): Watched;
}

interface Watched {
  /** The problem of the first skipped event. */
  reason(): string | undefined;
  /** Must be called when the stream ends, also after an error. */
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
