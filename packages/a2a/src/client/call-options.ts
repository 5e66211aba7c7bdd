import type { Credentials } from './auth/credentials.js';
import type { Timeouts } from './transports/exchange.js';

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. It never cancels a task. */
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Credentials of this call, instead of those of the client. null: send none. */
  readonly credentials?: Credentials | null | undefined;
  /** Scopes that the token for this call must cover, instead of the default scopes of the credentials. */
  readonly scopes?: readonly string[] | undefined;
  readonly tenant?: string | undefined;
  /** Extension URIs for this call, in addition to those of the client. */
  readonly extensions?: readonly string[] | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** false: the client does not wait for a sleeping agent to start. The caller retries. */
  readonly activation?: false | undefined;
  readonly requestId?: string | undefined;
  /**
   * Idempotency key of this send, for agents with the log extension. Default: the id of the message. The key covers the attempts of one
   * call. To repeat a send later, send the same Message again, with the same `messageId` and the same context. The same key with different
   * content is refused with IDEMPOTENCY_CONFLICT.
   */
  readonly idempotencyKey?: string | undefined;
  /** Receives the requested extensions that the agent activated for this call. Errors that it throws go to the client's `onError`. */
  onExtensions?(activated: readonly string[]): void;
}
