/** The interface between the bindings and the runtime: a Call in, a Reply out, independent of the wire format. */
import type { A2AError } from '../protocol/errors.js';
import type { MethodName, RequestOf } from '../protocol/methods.js';
import type { HeldBytes } from '../wire/http.js';
import { type Share, shareOfCaller } from './limits/share-counter.js';

/** The caller of an operation. `id` owns the tasks that the caller starts; '' is anonymous. */
export interface Caller {
  readonly id: string;
  /** Tenants that the caller may use; absent: any. */
  readonly tenants?: readonly string[];
  readonly scopes?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

export const ANONYMOUS: Caller = { id: '' };

/** One validated request for one operation. */
export interface Call<M extends MethodName = MethodName> {
  readonly method: M;
  readonly params: RequestOf<M>;
  readonly caller: Caller;
  readonly requestId: string;
  /** Extension URIs that the client asked for. */
  readonly extensions: readonly string[];
  /** The `Last-Event-ID` header, as sent. */
  readonly lastEventId?: string;
  /** The `Idempotency-Key` header: sends with the same key are the same send. */
  readonly idempotencyKey?: string;
  /** Separates the keys of anonymous callers: keys with different scopes never match. Default: all of them share one scope. */
  readonly keyScope?: string;
  /** The `traceparent` header, if it is well-formed. */
  readonly trace?: string;
  /** Registers a callback for a caller that disconnects before the answer; the returned function removes it. */
  onLeave?(callback: () => void): () => void;
  /** The share of the limits that this call counts against. Default: that of `caller`; only the totals for anonymous callers. */
  readonly share?: Share;
  /** Counts the bytes that the host holds for this call. Default: they are not counted. */
  readonly held?: HeldBytes;
  /** The message is in the store, or needs no further work before it waits: the next large request may be processed. */
  onDelivered?(): void;
  /** The host is reachable beyond loopback: anonymous callers can then list tasks by context only. */
  readonly exposed?: boolean;
}

export const shareOfCall = ({ share, caller }: Call): Share => share ?? shareOfCaller(caller.id);

/**
 * `json` is the text of the operation's result. `extensions` are the active ones, for the reply's header. A long `json` is also there as
 * `pieces`, which hosts send without a copy; a copy of the reply (`{ ...reply, json }`) does not have them.
 */
export type Reply =
  | { readonly kind: 'value'; readonly json: string; readonly extensions: readonly string[]; readonly pieces?: readonly string[] }
  | { readonly kind: 'stream'; readonly extensions: readonly string[]; open(sink: Sink): Reading };

/** The JSON of one StreamResponse. `seq` is its position in the task's log; a direct Message has none. */
export interface Frame {
  readonly json: string;
  readonly seq?: number;
}

/** The destination of a stream. */
export interface Sink {
  /** Always accepts the frames. Returns false when full: then no more frames come until `resume`. */
  send(frames: readonly Frame[]): boolean;
  end(why: ReadEnd): void;
}

/** Why a stream ended: the task is done, the server shuts down, or an error occurred. */
export type ReadEnd = { readonly kind: 'done' | 'shutdown' } | { readonly kind: 'error'; readonly error: A2AError };

/** An open stream, as its reader controls it: `resume` asks for more frames, `close` ends it. */
export interface Reading {
  resume(): void;
  close(): void;
}

/** Runs one operation of an agent; interceptors wrap it. */
export type Handle = (call: Call) => Promise<Reply>;

/** Wraps every operation: `next => call`. The first of a list is the outermost. */
export type Interceptor = (next: Handle) => Handle;
