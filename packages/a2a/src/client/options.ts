/** The options of a client and their defaults. */

import type { Logger } from '../platform/logger.js';
import type { Clock } from '../protocol/clock.js';
import type { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import type { Credentials } from './auth/credentials.js';
import type { ClientInterceptor } from './call.js';
import type { ActivationOptions } from './resilience/activation.js';
import type { BreakerOptions } from './resilience/circuit-breaker.js';
import type { CoolDowns } from './resilience/cool-down.js';
import type { RetryOptions } from './resilience/retry.js';
import type { RunOptions } from './run/run-options.js';
import type { Exchange, Timeouts } from './transports/exchange.js';
import type { Transport } from './transports/transport.js';

/** The bindings by their short names, as in `createClient({ prefer: 'rest' })`. */
export type BindingName = 'jsonrpc' | 'rest' | 'grpc';

/** Headers as an object, or as a function that is called for each request, for values that change. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Options of `createClient`: how to send requests, credentials, retries, timeouts and the defaults of every run. */
export interface ClientOptions
  extends Pick<
    RunOptions,
    | 'mode'
    | 'pollingIntervalMs'
    | 'reconnect'
    | 'historyLength'
    | 'acceptedOutputModes'
    | 'onInputRequired'
    | 'inputRequiredTimeoutMs'
    | 'onAuthRequired'
  > {
  /**
   * Sends every request. Default: the global `fetch`; on Node, a connection pool that all clients of the process share, unless
   * `HTTP_PROXY`, `HTTPS_PROXY` or `NODE_USE_ENV_PROXY` is set. Pass `fetch: globalThis.fetch` to use `fetch` on Node.
   */
  readonly fetch?: typeof fetch;
  /**
   * Passed to every fetch: `credentials`, `mode`, `cache` and so on. Values that the client sets itself win. On Node, this option also
   * selects `fetch`. Default: none.
   */
  readonly fetchOptions?: Omit<RequestInit, 'headers' | 'body' | 'method' | 'signal'>;
  /**
   * Sends every request instead of `fetch`, for example a `pooled()` of `@parley/a2a/node` with your own options. Cannot be combined with
   * `fetch`. Closing the client does not close it, because clients may share it. Default: `fetch`, or the connection pool of the process on
   * Node.
   */
  readonly exchange?: Exchange;
  /** Bindings that the client supports. Default: JSON-RPC and HTTP+JSON. */
  readonly transports?: readonly Transport[];
  /** Sent on every request; they override the client's own headers. A function is called for each request. Default: none. */
  readonly headers?: HeaderSource;
  /** Supplies the credentials of every call, for example `bearerToken(token)`. Default: calls are sent without credentials. */
  readonly credentials?: Credentials;
  /**
   * Origins that the client may call besides the host of the card, and that receive credentials and your `headers` besides the origin of
   * the card, for cards whose interfaces are elsewhere. Example: `['https://api.example.com']`. Default: none. Interfaces on the host of
   * the card are called on any port; on another origin than the card's, only without credentials and headers.
   */
  readonly allowOrigins?: readonly string[];
  /** The tenant of every call, for servers with several tenants. Default: the tenant that the card declares for the interface. */
  readonly tenant?: string;
  /** Extension URIs to request on every call. Each must be on the card. Default: none. */
  readonly extensions?: readonly string[];
  /** The binding to use. It must be on the card. Default: the order of the card. */
  readonly prefer?: BindingName;
  /** Location of the card: a path below the URL, or a separate URL. Default `/.well-known/agent-card.json`. */
  readonly cardPath?: string;
  /**
   * Called with each new card; throw to refuse it. The client itself checks no signatures. With this function, the extended card may name
   * origins that the public card does not name; `allowOrigins` applies to them, too. Default: every card is accepted.
   */
  readonly verifyCard?: (card: AgentCard) => void | Promise<void>;
  /**
   * Use the extended card if the agent has one. Default: only if credentials are given. true: calls also fail if it cannot be fetched. It
   * belongs to the client: calls with credentials of their own use the public card.
   */
  readonly extendedCard?: boolean;
  /**
   * Call agents of A2A 0.3, too: read their cards, use the version that the card declares, and try the other version once if the agent does
   * not know it. false: only 1.0. Default true, and false with `transports`, which then handle versions themselves.
   */
  readonly compat?: boolean;
  /** Stream even if the card does not declare streaming. Default false. */
  readonly assumeStreaming?: boolean;
  /** Default: 4 attempts, backoff of 1 s doubling to 30 s. false: never retry. */
  readonly retry?: RetryOptions | false;
  /** Waits for agents that may be asleep; `kedaActivation()` is a preset. Default: off. */
  readonly activation?: ActivationOptions | false;
  /** Timeouts of every call; null: no limits. Default: 10 s to connect, 60 s to the first byte (streams: 45 s), 300 s in total. */
  readonly timeouts?: Timeouts | null;
  /** Default: opens after 3 consecutive failures, for 30 s. false: no circuit breaker. */
  readonly breaker?: BreakerOptions | false;
  /** Rate-limit state that several clients share, created with `createCoolDowns`. Default: one per client. */
  readonly coolDowns?: CoolDowns;
  /** Additional interceptors, outside of the built-in ones. Default: none. */
  readonly interceptors?: readonly ClientInterceptor[];
  /** Maximum size of a response, and of one event of a stream. Default 16 MiB. Agent cards are limited to 1 MiB in any case. */
  readonly maxResponseBytes?: number;
  /**
   * Maximum size of a task that a run, a watch or a conversation follows, estimated from the characters of its content. Beyond it, the run
   * ends with an error; the task itself continues. Default 64 MiB.
   */
  readonly maxTaskBytes?: number;
  /**
   * Skip unreadable events of a stream, instead of treating the stream as broken and reconnecting to recover them. Use it only for passive
   * viewers: the skipped events are lost. Interceptors find the number of skipped events and the first problem in `reply.events.skipped`.
   * Default false.
   */
  readonly skipBadFrames?: boolean;
  /** Returns the `traceparent` of a call. Default: the header is not sent. */
  readonly trace?: () => string | undefined;
  /** Receives the client's log lines. Default: nothing is logged. */
  readonly logger?: Logger;
  /** Receives errors that are caught and not reported anywhere else. Default: these errors are ignored. */
  readonly onError?: (error: A2AError) => void;
  /** Measures timeouts and delays. Default: the system clock. */
  readonly clock?: Clock;
  /** Returns a number from 0 up to, but not including, 1, for the jitter of delays. Default: `Math.random`. */
  readonly random?: () => number;
  /** Creates the ids of messages and requests. Default: random UUIDs. */
  readonly newId?: () => string;
}
