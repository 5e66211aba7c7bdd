/** From what a verb wants to the call that passes through the interceptors, and back to the value. */
import { abortedBy } from '../platform/until-aborted.js';
import { A2AError, toA2AError } from '../protocol/errors.js';
import type { ClientCall, ClientMethod, ClientReply, ClientRequestOf, ClientResponseOf, Peer, Send } from './call.js';
import { toCallError } from './call-error.js';
import type { OpenOptions } from './calling.js';
import { toHeaders } from './headers.js';
import type { HeaderSource } from './options.js';
import { type CallBudget, createBudget, narrowBudget } from './resilience/budget.js';
import { isStreaming, resolveTimeouts } from './resilience/timeout-presets.js';
import type { ResolvedOptions } from './resolve-options.js';
import type { Timeouts } from './transports/exchange.js';

interface CallDetails {
  readonly peer: Peer;
  readonly options: OpenOptions;
  /** URIs to ask for. */
  readonly extensions?: readonly string[];
  /** Tries after the first, over all layers. */
  readonly retries?: number | undefined;
  /** What the call has taken already, before it is sent. */
  readonly elapsedMs?: number;
}

/** Sends one call through everything and gives its value. */
export type MakeCall = <M extends ClientMethod>(
  method: M,
  params: ClientRequestOf<M>,
  details: CallDetails,
) => Promise<ClientResponseOf<M>>;

export interface CallMaker {
  readonly value: MakeCall;
  /** The reply as it came: for streams. */
  reply(method: ClientMethod, params: ClientCall['params'], details: CallDetails): Promise<ClientReply>;
}

export function createCallMaker(send: Send, resolved: ResolvedOptions): CallMaker {
  const reply: CallMaker['reply'] = async (method, params, details) => {
    const { signal } = details.options;
    try {
      if (signal?.aborted) throw abortedBy(signal);
      return await send(await toCall({ method, params, ...details }, resolved));
    } catch (thrown) {
      throw toCallError(thrown, signal);
    }
  };
  const value: MakeCall = async (method, params, details) => takeValue(method, await reply(method, params, details));
  return { reply, value };
}

/** The value of a reply; a stream where there should be one value is closed and refused. */
export function takeValue<M extends ClientMethod>(method: M, reply: ClientReply): ClientResponseOf<M> {
  // A reply is for the method of its call: transports have checked it against that.
  if (reply.kind === 'value') return reply.value as ClientResponseOf<M>;
  reply.events.close();
  throw new A2AError('INVALID_AGENT_RESPONSE', `${method} was answered with a stream`);
}

interface Request extends CallDetails {
  readonly method: ClientMethod;
  readonly params: ClientCall['params'];
}

async function toCall(request: Request, resolved: ResolvedOptions): Promise<ClientCall> {
  const { method, params, peer, options, extensions = [], retries, elapsedMs = 0 } = request;
  const { clock, newId } = resolved.settings;
  const timeouts = resolveTimeouts(method, options.timeouts, resolved.timeouts);
  const deadline = elapsedMs > 0 ? deadlineOf(method, timeouts, clock.now() - elapsedMs) : undefined;
  const budget: CallBudget = options.budget ?? createBudget({ clock, maxRetries: retries });
  return {
    method,
    params,
    peer,
    requestId: options.requestId ?? newId(),
    attempt: 1,
    headers: { ...traceHeader(resolved), ...(await currentHeaders(resolved.headers)), ...toHeaders(options.headers) },
    extensions,
    signal: options.signal,
    timeouts,
    budget: deadline === undefined ? budget : narrowBudget(budget, deadline, clock),
    activation: options.activation,
    credentials: options.credentials,
    scopes: options.scopes,
    idempotencyKey: options.idempotencyKey,
    lastEventId: options.lastEventId,
    evenIfOpen: options.evenIfOpen,
  };
}

/** The total is for all of a logical call: its time runs since its preparation began. */
function deadlineOf(method: ClientMethod, { totalMs }: Timeouts, begunAt: number): number | undefined {
  return typeof totalMs === 'number' && !isStreaming(method) ? begunAt + totalMs : undefined;
}

async function currentHeaders(source: HeaderSource | undefined): Promise<Readonly<Record<string, string>>> {
  if (typeof source !== 'function') return toHeaders(source);
  try {
    return toHeaders(await source());
  } catch (cause) {
    throw new A2AError('INVALID_REQUEST', 'The function that gives the headers failed', { cause });
  }
}

/** A tracer that fails must not keep anybody from calling. */
function traceHeader({ trace, settings }: ResolvedOptions): Readonly<Record<string, string>> {
  try {
    const traceparent = trace?.();
    return traceparent === undefined ? {} : toHeaders({ traceparent });
  } catch (thrown) {
    settings.onError(toA2AError(thrown));
    return {};
  }
}
