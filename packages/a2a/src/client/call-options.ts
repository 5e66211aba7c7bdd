import type { Credentials } from './auth/credentials.js';
import type { Timeouts } from './transports/exchange.js';

/** What can be said for one call. */
export interface CallOptions {
  /** Aborting leaves the call; it never cancels a task. */
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the client's own; null: none. */
  readonly credentials?: Credentials | null | undefined;
  /** What a token for this call has to cover, instead of what the credentials ask for by themselves. */
  readonly scopes?: readonly string[] | undefined;
  readonly tenant?: string | undefined;
  /** Beside the client's own. */
  readonly extensions?: readonly string[] | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** false: an agent that is asleep is left to the caller, who tries again by himself. */
  readonly activation?: false | undefined;
  readonly requestId?: string | undefined;
  /**
   * The key by which agents with the log extension know this send, instead of its message's id. It is for the tries of one call. To make sure
   * that a later send is the same one, send the same Message again, with its `messageId` and its conversation: the same key with anything
   * else is refused with IDEMPOTENCY_CONFLICT.
   */
  readonly idempotencyKey?: string | undefined;
  /** Told which of the extensions asked for the agent has switched on for this call. What it throws goes to the client's `onError`. */
  onExtensions?(activated: readonly string[]): void;
}
