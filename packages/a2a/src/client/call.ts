/**
 * What passes through the client: a ClientCall down, a ClientReply up. Everything that wraps a call (credentials, retry, breaker, logs, a
 * user's own) is an interceptor over this one shape.
 */
import type { MethodName, RequestOf, ResponseOf } from '../protocol/methods.js';
import type { AgentCard, AgentInterface, StreamResponse } from '../protocol/types.js';
import type { Credentials } from './auth/credentials.js';
import type { ColdStartWatch } from './resilience/activation-policy.js';
import type { CallBudget } from './resilience/budget.js';
import type { Timeouts } from './transports/exchange.js';
import type { UnpublishedFailure } from './unpublished.js';

/** The eleven operations, and the fetch of the public card, which is wrapped like any call. */
export type ClientMethod = MethodName | 'GetAgentCard';

/** Where the card is; `etag` and `lastModified` ask whether the one at hand is still good. */
export interface GetAgentCardRequest {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** `card` is absent when the one at hand is still good. */
export interface GetAgentCardResponse {
  readonly card?: AgentCard;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** For how long it may be used without asking again; undefined: the server did not say. */
  readonly maxAgeMs?: number | undefined;
}

export type ClientRequestOf<M extends ClientMethod> = M extends MethodName ? RequestOf<M> : GetAgentCardRequest;
export type ClientResponseOf<M extends ClientMethod> = M extends MethodName ? ResponseOf<M> : GetAgentCardResponse;

/** The agent that a call goes to, as far as it is known: before the card is there, only its URL is. */
export interface Peer {
  /** Names the agent in logs, breakers and contexts: the URL of its card, or of its first interface. */
  readonly key: string;
  /** Its name on the card; until then the key. */
  readonly name: string;
  readonly card: AgentCard | undefined;
  /** The interface to send to first, then those to fall back on. */
  readonly interfaces: readonly AgentInterface[];
  /** What the card says of the log extension: only such peers are sent `Last-Event-ID` and `Idempotency-Key`. */
  readonly log: { readonly lastEventId: boolean; readonly idempotencyKey: boolean };
}

/** One logical call. Interceptors pass on changed copies, never change the one they were given. */
export interface ClientCall<M extends ClientMethod = ClientMethod> {
  readonly method: M;
  readonly params: ClientRequestOf<M>;
  readonly peer: Peer;
  /** One per logical call, whatever is tried: `X-Request-Id`. */
  readonly requestId: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** By lower-case name; they win over what the transport sets. */
  readonly headers: Readonly<Record<string, string>>;
  /** URIs to ask for. */
  readonly extensions: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
  /** Shared by everything that tries again (C19). */
  readonly budget: CallBudget;
  /** Somebody outside waits for an agent that is asleep, so that nothing below does; false: the caller himself. */
  readonly activation?: ColdStartWatch | false | undefined;
  /** What this call authenticates with instead of the client's own; null: nothing. */
  readonly credentials?: Credentials | null | undefined;
  /** What a token for this call has to cover, where the call says so. */
  readonly scopes?: readonly string[] | undefined;
  /** Added to the URL of the request; secrets, so errors and logs name the URL without them. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Sent only where the peer has the log extension. */
  readonly idempotencyKey?: string | undefined;
  /** Resume behind this event; sent only where the peer has the log extension. */
  readonly lastEventId?: number | undefined;
  /** The task that the call before this one came to: this call repeats that one, as far as the rules for repeating calls allow. */
  readonly failed?: UnpublishedFailure | undefined;
  /** Aborted when a send whose task failed unpublished is not to be repeated any more. A request that is under way goes on. */
  readonly noRepeat?: AbortSignal | undefined;
  /** Sent also while the circuit is open: for who counts his tries himself. Its outcome counts for the circuit like any other. */
  readonly evenIfOpen?: boolean | undefined;
}

/** One event of a stream; `seq` is the SSE id where the peer numbers its events. */
export interface StreamedEvent {
  readonly seq: number | undefined;
  readonly response: StreamResponse;
}

/**
 * An open stream. Iterating it rejects with an A2ATransportError when it breaks off in the middle of an event, idles too long or holds what
 * can not be read, and with the peer's own error when that comes in band. It ends when the peer ends it: whether that is too early is for
 * the reader to know. Leaving the loop closes it.
 */
export interface EventStream extends AsyncIterable<StreamedEvent> {
  /** How long the peer asks readers to wait before they come back (`retry:`), once it did. */
  readonly retryMs: number | undefined;
  /** Events that could not be read and were passed over, where that was asked for; `first` says what was wrong with the first. */
  readonly skipped?: { readonly count: number; readonly first: string } | undefined;
  close(): void;
}

export type ClientReply<M extends ClientMethod = ClientMethod> =
  | { readonly kind: 'value'; readonly value: ClientResponseOf<M>; readonly extensions: readonly string[] }
  | { readonly kind: 'stream'; readonly events: EventStream; readonly extensions: readonly string[] };

/** Rejects with an A2AError, never with anything else. */
export type Send = (call: ClientCall) => Promise<ClientReply>;

/** Wraps every call: `next => call`. The first of a list is outermost. */
export type ClientInterceptor = (next: Send) => Send;

export function composeSend(send: Send, interceptors: readonly ClientInterceptor[]): Send {
  return interceptors.reduceRight((next, wrap) => wrap(next), send);
}
