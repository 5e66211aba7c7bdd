/** What passes between the bindings and the runtime: a Call in, a Reply out, whatever the wire looks like. */
import type { A2AError } from '../protocol/errors.js';
import type { MethodName, RequestOf } from '../protocol/methods.js';

/** Who calls. `id` owns the tasks that the caller starts; '' is anonymous. */
export interface Caller {
  readonly id: string;
  /** Tenants the caller may name; absent: any. */
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
  /** The `Idempotency-Key` header: sends that carry the same one are the same send. */
  readonly idempotencyKey?: string;
  /** The `traceparent` header, where it has the form that the standard gives it. */
  readonly trace?: string;
  /** Calls back when the caller goes away before the answer; the returned function takes that back. */
  onLeave?(callback: () => void): () => void;
  /** The host can be reached beyond loopback: anonymous callers then list tasks by context only. */
  readonly exposed?: boolean;
}

/** `json` is the text of the operation's result. `extensions` are those in force, for the reply's header. */
export type Reply =
  | { readonly kind: 'value'; readonly json: string; readonly extensions: readonly string[] }
  | { readonly kind: 'stream'; readonly extensions: readonly string[]; open(sink: Sink): Reading };

/** One StreamResponse text. `seq` is its place in the task's log; a direct Message has none. */
export interface Frame {
  readonly json: string;
  readonly seq?: number;
}

/** Where a stream goes. */
export interface Sink {
  /** Always takes the frames; false means full: nothing more comes until `resume`. */
  send(frames: readonly Frame[]): boolean;
  end(why: ReadEnd): void;
}

export type ReadEnd = { readonly kind: 'done' | 'shutdown' } | { readonly kind: 'error'; readonly error: A2AError };

export interface Reading {
  resume(): void;
  close(): void;
}

export type Handle = (call: Call) => Promise<Reply>;

/** Wraps every operation: `next => call`. The first of a list is outermost. */
export type Interceptor = (next: Handle) => Handle;
