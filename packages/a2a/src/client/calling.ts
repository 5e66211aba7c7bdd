/** The internal interface on which all client methods are built. */
import type { Logger } from '../platform/logger.js';
import type { Clock } from '../protocol/clock.js';
import type { A2AError } from '../protocol/errors.js';
import type { RequestOf, ResponseOf, StreamMethod, UnaryMethod } from '../protocol/methods.js';
import type { EventStream, Peer } from './call.js';
import type { CallOptions } from './call-options.js';
import type { ContextMemory } from './contexts.js';
import type { CallBudget } from './resilience/budget.js';
import type { ReconnectOptions, RunOptions } from './run/run-options.js';
import type { UnpublishedFailure } from './unpublished.js';

/** The client options that runs need, with every default filled in. */
export interface RunSettings
  extends Pick<RunOptions, 'historyLength' | 'acceptedOutputModes' | 'onInputRequired' | 'inputRequiredTimeoutMs' | 'onAuthRequired'> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly logger: Logger;
  /** Set for the calls of a conversation. */
  readonly memory?: ContextMemory | undefined;
  readonly mode: 'auto' | 'stream' | 'poll';
  readonly assumeStreaming: boolean;
  readonly pollingIntervalMs: number;
  readonly maxTaskBytes: number;
  readonly reconnect: Required<ReconnectOptions>;
  /** False if the client option `retry` is false. */
  readonly retries: boolean;
  readonly onError: (error: A2AError) => void;
}

export interface Calling {
  readonly settings: RunSettings;
  /** Returns the agent. Fetches its card if it is not known yet. */
  peer(options?: CallOptions): Promise<Peer>;
  /** Sends one unary operation through all interceptors. Fills in the tenant and the extensions. */
  value<M extends UnaryMethod>(method: M, params: RequestOf<M>, options?: OpenOptions): Promise<ResponseOf<M>>;
  /** Opens a stream through all interceptors. Resolves when the peer has accepted the request. */
  open<M extends StreamMethod>(method: M, params: RequestOf<M>, options?: OpenOptions): Promise<EventStream>;
}

export interface OpenOptions extends CallOptions {
  /** Resume after this event. Has an effect only if the peer has the log extension. */
  readonly lastEventId?: number | undefined;
  /** Bypasses an open circuit: a run that reconnects has a retry limit of its own. */
  readonly evenIfOpen?: boolean | undefined;
  /** The failed task of the previous send. This call repeats that send, or rejects with this error. */
  readonly failed?: UnpublishedFailure | undefined;
  /** Aborted when a send whose task failed unpublished must not be repeated any more. A request in flight continues. */
  readonly noRepeat?: AbortSignal | undefined;
  /** Retry budget, shared with other calls for the same purpose. Default: a budget of its own. */
  readonly budget?: CallBudget | undefined;
}
