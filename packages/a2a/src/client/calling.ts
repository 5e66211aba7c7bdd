/** The inside of a client: what its verbs are built on. */
import type { Logger } from '../platform/logger.js';
import type { Clock } from '../protocol/clock.js';
import type { A2AError } from '../protocol/errors.js';
import type { RequestOf, ResponseOf } from '../protocol/methods.js';
import type { EventStream, Peer } from './call.js';
import type { CallOptions } from './call-options.js';
import type { StreamMethod, UnaryMethod } from './client.js';
import type { ContextStore } from './contexts.js';
import type { CallBudget } from './resilience/budget.js';
import type { ReconnectOptions, RunOptions } from './run/run-options.js';
import type { UnpublishedFailure } from './unpublished.js';

/** Options with every default filled in, as far as runs need them. */
export interface RunSettings
  extends Pick<RunOptions, 'historyLength' | 'acceptedOutputModes' | 'onInputRequired' | 'inputRequiredTimeoutMs' | 'onAuthRequired'> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly logger: Logger;
  readonly contexts: ContextStore;
  readonly mode: 'auto' | 'stream' | 'poll';
  readonly assumeStreaming: boolean;
  readonly pollingIntervalMs: number;
  readonly reconnect: Required<ReconnectOptions>;
  /** Whether calls that failed are repeated at all. */
  readonly retries: boolean;
  readonly onError: (error: A2AError) => void;
}

export interface Calling {
  readonly settings: RunSettings;
  /** What the agent is known by, whether its card is there or not: the key of every peer. */
  readonly agent: string;
  /** The agent; its card is fetched if it is not there yet. */
  peer(options?: CallOptions): Promise<Peer>;
  /** One unary operation through all interceptors. Tenant and extensions are filled in. */
  value<M extends UnaryMethod>(method: M, params: RequestOf<M>, options?: OpenOptions): Promise<ResponseOf<M>>;
  /** Opens a stream through all interceptors: resolves when the peer has agreed to it. */
  open<M extends StreamMethod>(method: M, params: RequestOf<M>, options?: OpenOptions): Promise<EventStream>;
}

export interface OpenOptions extends CallOptions {
  /** Resume behind this event; has an effect only where the peer has the log extension. */
  readonly lastEventId?: number | undefined;
  /** Sent also while the circuit is open: a run that comes back counts its tries itself. */
  readonly evenIfOpen?: boolean | undefined;
  /** The task that the call before this one came to: this call repeats that one, or rejects with that error. */
  readonly failed?: UnpublishedFailure | undefined;
  /** Aborted when a send whose task failed unpublished is not to be repeated any more. A request that is under way goes on. */
  readonly noRepeat?: AbortSignal | undefined;
  /** What the call may try again, together with other calls for the same purpose. Default: a budget of its own. */
  readonly budget?: CallBudget | undefined;
}
