/**
 * The types that pass through the client: a ClientCall goes in, a ClientReply comes out. Everything that wraps a call (credentials, retry,
 * circuit breaker, logging, user code) is an interceptor over these types.
 */
import type { MethodName, RequestOf, ResponseOf } from '../protocol/methods.js';
import type { AgentCard, AgentInterface, StreamResponse } from '../protocol/types.js';
import type { Credentials } from './auth/credentials.js';
import type { ColdStartWatch } from './resilience/activation-policy.js';
import type { CallBudget } from './resilience/budget.js';
import type { Timeouts } from './transports/exchange.js';
import type { UnpublishedFailure } from './unpublished.js';

/** The eleven operations and the request for the public card, which passes through the same interceptors. */
export type ClientMethod = MethodName | 'GetAgentCard';

/** The URL of the card. `etag` and `lastModified` make the request conditional: they ask whether the cached card is still valid. */
export interface GetAgentCardRequest {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** `card` is absent if the cached card is still valid. */
export interface GetAgentCardResponse {
  readonly card?: AgentCard;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** How long the card may be used without revalidation. Undefined if the server does not say. */
  readonly maxAgeMs?: number | undefined;
}

export type ClientRequestOf<M extends ClientMethod> = M extends MethodName ? RequestOf<M> : GetAgentCardRequest;
export type ClientResponseOf<M extends ClientMethod> = M extends MethodName ? ResponseOf<M> : GetAgentCardResponse;

/** The agent that a call goes to. Before the card is fetched, only its URL is known. */
export interface Peer {
  /** Identifies the agent in logs and circuit breakers: the URL of its card, or of its first interface. */
  readonly key: string;
  /** The name on the card. Equal to `key` until the card is known. */
  readonly name: string;
  readonly card: AgentCard | undefined;
  /** The interface to try first, followed by the fallbacks. */
  readonly interfaces: readonly AgentInterface[];
  /** What the card declares about the log extension. `Last-Event-ID` and `Idempotency-Key` are sent only if declared here. */
  readonly log: { readonly lastEventId: boolean; readonly idempotencyKey: boolean; readonly maxBodyBytes?: number | undefined };
}

/** One logical call. Interceptors pass on modified copies and never modify the call that they receive. */
export interface ClientCall<M extends ClientMethod = ClientMethod> {
  readonly method: M;
  readonly params: ClientRequestOf<M>;
  readonly peer: Peer;
  /** The `X-Request-Id`. All attempts of one logical call share it. */
  readonly requestId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Names are in lower case. These headers override those that the transport sets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Extension URIs to request. */
  readonly extensions: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
  /** Shared by every layer that retries (C19). */
  readonly budget: CallBudget;
  /** If set, an outer layer waits for a sleeping agent, so inner layers must not wait. false: the caller waits. */
  readonly activation?: ColdStartWatch | false | undefined;
  /** Credentials of this call, instead of those of the client. null: send none. */
  readonly credentials?: Credentials | null | undefined;
  /** Scopes that the token must cover, if the call names any. */
  readonly scopes?: readonly string[] | undefined;
  /** Added to the URL of the request. The values are secrets, so errors and logs show the URL without them. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Sent only if the peer has the log extension. */
  readonly idempotencyKey?: string | undefined;
  /** Resume after this event. Sent only if the peer has the log extension. */
  readonly lastEventId?: number | undefined;
  /** The failed task of the previous send. This call repeats that send, if the retry rules allow it. */
  readonly failed?: UnpublishedFailure | undefined;
  /** Aborted when a send whose task failed unpublished must not be repeated any more. A request in flight continues. */
  readonly noRepeat?: AbortSignal | undefined;
  /** Bypasses an open circuit; for callers with a retry limit of their own. The outcome counts for the circuit as usual. */
  readonly evenIfOpen?: boolean | undefined;
}

/** One event of a stream. `seq` is the SSE id, if the peer numbers its events. */
export interface StreamedEvent {
  readonly seq: number | undefined;
  readonly response: StreamResponse;
}

/**
 * An open stream. Iteration rejects with an A2ATransportError if the stream breaks inside an event, exceeds the idle timeout or contains
 * unreadable data, and with the error of the peer if the peer sends one in the stream. It ends normally when the peer ends it; the reader
 * must decide whether that was too early. Leaving the loop closes the stream.
 */
export interface EventStream extends AsyncIterable<StreamedEvent> {
  /** The reconnect delay that the peer asked for (`retry:`). Undefined until the peer sends one. */
  readonly retryMs: number | undefined;
  /** Number of unreadable events that were skipped, if skipping is enabled. `first` describes the problem of the first one. */
  readonly skipped?: { readonly count: number; readonly first: string } | undefined;
  close(): void;
}

/** The reply that an interceptor gets: one value, or a stream of events. */
export type ClientReply<M extends ClientMethod = ClientMethod> =
  | { readonly kind: 'value'; readonly value: ClientResponseOf<M>; readonly extensions: readonly string[] }
  | { readonly kind: 'stream'; readonly events: EventStream; readonly extensions: readonly string[] };

/** Sends one call. Rejects only with an A2AError. */
export type Send = (call: ClientCall) => Promise<ClientReply>;

/** Wraps every call: `next => call`. The first interceptor of a list is the outermost. */
export type ClientInterceptor = (next: Send) => Send;

export function composeSend(send: Send, interceptors: readonly ClientInterceptor[]): Send {
  return interceptors.reduceRight((next, wrap) => wrap(next), send);
}
