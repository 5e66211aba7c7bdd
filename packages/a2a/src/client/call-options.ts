import type { Credentials } from './auth/credentials.js';
import type { Timeouts } from './transports/exchange.js';

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. It never cancels a task. Default: only timeouts end the call. */
  readonly signal?: AbortSignal | undefined;
  /** Headers of this call; they override those of the client. Default: only those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Credentials of this call, instead of those of the client. null: send none. Default: those of the client. */
  readonly credentials?: Credentials | null | undefined;
  /** Scopes that the token for this call must cover. Default: the scopes of the credentials. */
  readonly scopes?: readonly string[] | undefined;
  /** The tenant of this call, for servers with several tenants. Default: that of the client. */
  readonly tenant?: string | undefined;
  /** Extension URIs for this call, in addition to those of the client. Default: none in addition. */
  readonly extensions?: readonly string[] | undefined;
  /** Timeouts of this call; a missing member keeps the value of the client. Default: those of the client. */
  readonly timeouts?: Timeouts | undefined;
  /** false: the client does not wait for a sleeping agent to start. The caller retries. Default: the `activation` of the client. */
  readonly activation?: false | undefined;
  /** Identifies the call in log lines, in `onRetry` and, with the log extension, at the agent (`X-Request-Id`). Default: a new id. */
  readonly requestId?: string | undefined;
  /**
   * Idempotency key of this send, for agents with the log extension. Default: the id of the message. The key covers the attempts of one
   * call. To repeat a send later, send the same Message again, with the same `messageId` and the same context. The same key with different
   * content is refused with IDEMPOTENCY_CONFLICT.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Receives the requested extensions that the agent activated for this call. Errors that it throws go to the client's `onError`. Default:
   * no callback.
   */
  onExtensions?(activated: readonly string[]): void;
}
