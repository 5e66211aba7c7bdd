/** Creates the ClientCall of a client method, sends it through the interceptors and returns its value. */
import { abortedBy } from '../platform/until-aborted.js';
import { A2AError, toA2AError } from '../protocol/errors.js';
import { isStreaming } from '../protocol/methods.js';
import type { ClientCall, ClientMethod, ClientReply, ClientRequestOf, ClientResponseOf, Peer, Send } from './call.js';
import type { OpenOptions } from './calling.js';
import { toHeaders } from './headers.js';
import type { HeaderSource } from './options.js';
import { type CallBudget, createBudget, narrowBudget } from './resilience/budget.js';
import { resolveTimeouts } from './resilience/timeout-presets.js';
import type { ResolvedOptions } from './resolve-options.js';
import type { Timeouts } from './transports/exchange.js';

interface CallDetails {
  readonly peer: Peer;
  readonly options: OpenOptions;
  /** The headers in `options` override these. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Used if the options contain no key. */
  readonly idempotencyKey?: string | undefined;
  /** Extension URIs to request. */
  readonly extensions?: readonly string[];
  /** Maximum retries, summed over all layers. */
  readonly retries?: number | undefined;
  /** Time that the call has already used before it is sent. */
  readonly elapsedMs?: number;
}

/** Sends one call through all interceptors and returns its value. */
export type MakeCall = <M extends ClientMethod>(
  method: M,
  params: ClientRequestOf<M>,
  details: CallDetails,
) => Promise<ClientResponseOf<M>>;

export interface CallMaker {
  readonly value: MakeCall;
  /** Returns the reply unchanged, for streams. Errors in the call itself may be thrown synchronously. */
  reply(method: ClientMethod, params: ClientCall['params'], details: CallDetails): Promise<ClientReply>;
}

/** `send` must reject only with A2AErrors, whatever it contains. */
export function createCallMaker(send: Send, resolved: ResolvedOptions): CallMaker {
  const reply: CallMaker['reply'] = (method, params, details) => {
    const { signal } = details.options;
    if (signal?.aborted) throw abortedBy(signal);
    const headers = headersOf(details, resolved);
    if (!(headers instanceof Promise)) return send(toCall({ method, params, details, headers }, resolved));
    return headers.then((asked) => send(toCall({ method, params, details, headers: asked }, resolved)));
  };
  const value: MakeCall = async (method, params, details) => takeValue(method, await reply(method, params, details));
  return { reply, value };
}

/** Returns the value of a reply. Closes and refuses a stream, since the method has a single value. */
export function takeValue<M extends ClientMethod>(method: M, reply: ClientReply): ClientResponseOf<M> {
  // Transports have checked that the reply fits the method of its call.
  if (reply.kind === 'value') return reply.value as ClientResponseOf<M>;
  reply.events.close();
  throw new A2AError('INVALID_AGENT_RESPONSE', `The agent answered ${method} with a stream instead of a single response`);
}

interface Request {
  readonly method: ClientMethod;
  readonly params: ClientCall['params'];
  readonly headers: ClientCall['headers'];
  readonly details: CallDetails;
}

function toCall({ method, params, headers, details }: Request, resolved: ResolvedOptions): ClientCall {
  const { peer, options, extensions = NO_EXTENSIONS, retries, elapsedMs = 0 } = details;
  const { clock } = resolved.settings;
  const timeouts = resolveTimeouts(method, options.timeouts, resolved.timeouts);
  const deadline = elapsedMs > 0 ? deadlineOf(method, timeouts, clock.now() - elapsedMs) : undefined;
  const budget: CallBudget = options.budget ?? createBudget({ clock, maxRetries: retries });
  return {
    method,
    params,
    peer,
    requestId: options.requestId ?? resolved.newRequestId(),
    attempt: 1,
    headers,
    extensions,
    signal: options.signal,
    timeouts,
    budget: deadline === undefined ? budget : narrowBudget(budget, deadline, clock),
    activation: options.activation,
    credentials: options.credentials,
    scopes: options.scopes,
    idempotencyKey: options.idempotencyKey ?? details.idempotencyKey,
    lastEventId: options.lastEventId,
    failed: options.failed,
    noRepeat: options.noRepeat,
    evenIfOpen: options.evenIfOpen,
  };
}

/** `totalMs` covers the whole logical call, so it starts when the preparation of the call starts. */
function deadlineOf(method: ClientMethod, { totalMs }: Timeouts, begunAt: number): number | undefined {
  return typeof totalMs === 'number' && !isStreaming(method) ? begunAt + totalMs : undefined;
}

const NO_EXTENSIONS: readonly string[] = [];
const NO_HEADERS: ClientCall['headers'] = Object.freeze({});

/** Merges the headers: tracing, then the client's options, then the call, which wins. Most calls have none. */
function headersOf({ headers, options }: CallDetails, resolved: ResolvedOptions): ClientCall['headers'] | Promise<ClientCall['headers']> {
  const { headers: source, trace } = resolved;
  const said = headers === undefined || isEmpty(headers) ? options.headers : { ...headers, ...options.headers };
  if (source === undefined && trace === undefined) return said === undefined ? NO_HEADERS : toHeaders(said);
  const own = traceHeader(resolved);
  if (typeof source !== 'function') return { ...own, ...toHeaders(source), ...toHeaders(said) };
  return askHeaders(source).then((asked) => ({ ...own, ...asked, ...toHeaders(said) }));
}

function isEmpty(headers: ClientCall['headers']): boolean {
  for (const _ in headers) return false;
  return true;
}

async function askHeaders(source: Extract<HeaderSource, () => unknown>): Promise<ClientCall['headers']> {
  try {
    return toHeaders(await source());
  } catch (cause) {
    throw new A2AError('INVALID_REQUEST', 'The headers function in the options failed', { cause });
  }
}

/** A failing tracer must not fail the call. */
function traceHeader({ trace, settings }: ResolvedOptions): Readonly<Record<string, string>> {
  try {
    const traceparent = trace?.();
    return traceparent === undefined ? {} : toHeaders({ traceparent });
  } catch (thrown) {
    settings.onError(toA2AError(thrown));
    return {};
  }
}
