/** What a client can be told, each with its default. */

import type { Logger } from '../platform/logger.js';
import type { Clock } from '../protocol/clock.js';
import type { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import type { Credentials } from './auth/credentials.js';
import type { ClientInterceptor } from './call.js';
import type { ContextStore } from './contexts.js';
import type { ActivationOptions } from './resilience/activation.js';
import type { BreakerOptions } from './resilience/circuit-breaker.js';
import type { CoolDowns } from './resilience/cool-down.js';
import type { RetryOptions } from './resilience/retry.js';
import type { RunOptions } from './run/run-options.js';
import type { Exchange, Timeouts } from './transports/exchange.js';
import type { Transport } from './transports/transport.js';

export type BindingName = 'jsonrpc' | 'rest' | 'grpc';

export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

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
   * Sends every request. Default: the platform's `fetch`; on Node, a pool of connections that all clients of the process share, unless
   * `HTTP_PROXY`, `HTTPS_PROXY` or `NODE_USE_ENV_PROXY` is set. Give `fetch: globalThis.fetch` to use `fetch` on Node.
   */
  readonly fetch?: typeof fetch;
  /** Passed to every fetch: `credentials`, `mode`, `cache` and the like. What the client itself sets wins. On Node they choose `fetch`, too. */
  readonly fetchOptions?: Omit<RequestInit, 'headers' | 'body' | 'method' | 'signal'>;
  /**
   * Sends every request instead of `fetch`, for example a `pooled()` of `@parley/a2a/node` with options of your own. Not with `fetch`. Closing
   * the client leaves it open: clients may share it.
   */
  readonly exchange?: Exchange;
  /** Bindings that the client speaks. Default JSON-RPC and HTTP+JSON. */
  readonly transports?: readonly Transport[];
  /** On every request, and they win; a function is asked each time. */
  readonly headers?: HeaderSource;
  readonly credentials?: Credentials;
  /**
   * Origins that credentials may go to besides the agent's own host, for cards that name interfaces elsewhere. It counts for headers that hold
   * secrets, too: `authorization`, `cookie`, `proxy-authorization` and those that the card declares as keys. Default none.
   */
  readonly trustedOrigins?: readonly string[];
  readonly tenant?: string;
  /** URIs to ask for on every call; each must be on the card. */
  readonly extensions?: readonly string[];
  /** The binding to use; it must be on the card. Default: the card's order. */
  readonly prefer?: BindingName;
  /** Where the card is: a path below the URL, or a URL of its own. Default `/.well-known/agent-card.json`. */
  readonly cardPath?: string;
  /** Throws when a card is not to be trusted. Setting it makes signatures mandatory. */
  readonly verifyCard?: (card: AgentCard) => void | Promise<void>;
  /**
   * Use the extended card where there is one. Default: when credentials are given; true also makes calls fail when it can not be had. It is the
   * client's: calls with credentials of their own go by the public card.
   */
  readonly extendedCard?: boolean;
  /** Streams even when the card does not offer it. Default false. */
  readonly assumeStreaming?: boolean;
  /** Default 4 calls, 1 s doubling to 30 s; false switches it off. */
  readonly retry?: RetryOptions | false;
  /** For agents that may be asleep: off unless given; `kedaActivation()` is a preset. */
  readonly activation?: ActivationOptions | false;
  readonly timeouts?: Timeouts | null;
  /** Opens after 3 failures in a row, for 30 s; false switches it off. */
  readonly breaker?: BreakerOptions | false;
  /** Rate limits that several clients keep together, made by `createCoolDowns`. Default: each client keeps its own. */
  readonly coolDowns?: CoolDowns;
  /** Further wrappers of every call, outside of all others. */
  readonly interceptors?: readonly ClientInterceptor[];
  /**
   * Which conversation each agent is in. Default: kept in memory, per client. false: none is remembered, so that a client which speaks for
   * several people begins a new one unless a call says `contextId` or `taskId`.
   * What a store of yours throws goes to `onError`; the call goes on.
   */
  readonly contexts?: ContextStore | false;
  /** Peers that use the error codes of the StackA2A post. */
  readonly legacyCodes?: 'stacka2a';
  /** Largest answer, and largest event of a stream. Default 16 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * Passes over events of a stream that can not be read, instead of taking it for broken and coming back for what was lost. For those who
   * only look on: what was passed over is missing. Interceptors see how many, and why the first, in `reply.events.skipped`. Default false.
   */
  readonly skipBadFrames?: boolean;
  /** `traceparent` for a call. */
  readonly trace?: () => string | undefined;
  readonly logger?: Logger;
  /** What was caught and told to nobody else. */
  readonly onError?: (error: A2AError) => void;
  readonly clock?: Clock;
  /** 0 ≤ n < 1. */
  readonly random?: () => number;
  readonly newId?: () => string;
}
