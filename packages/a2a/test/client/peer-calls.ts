/** Calls for tests below the methods of the client: transports over a scripted exchange or a real server in this process. */
import type {
  ClientCall,
  ClientMethod,
  ClientReply,
  ClientRequestOf,
  ClientResponseOf,
  Peer,
  StreamedEvent,
} from '../../src/client/call.js';
import { createBudget } from '../../src/client/resilience/budget.js';
import type { Exchange, HttpRequest } from '../../src/client/transports/exchange.js';
import { fetchExchange } from '../../src/client/transports/fetch-exchange.js';
import type { Transport, TransportTools } from '../../src/client/transports/transport.js';
import { systemClock } from '../../src/platform/system-clock.js';
import type { AgentInterface } from '../../src/protocol/types.js';

export const BASE = 'http://agent.test';

export function interfaceAt(url: string = BASE, more: Partial<AgentInterface> = {}): AgentInterface {
  return { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...more };
}

const PLAIN_PEER: Peer = {
  key: BASE,
  name: 'agent',
  card: undefined,
  interfaces: [],
  log: { lastEventId: false, idempotencyKey: false },
};

/** A peer with the log extension. */
export const LOG_PEER: Peer = { ...PLAIN_PEER, log: { lastEventId: true, idempotencyKey: true } };

export function callOf<M extends ClientMethod>(method: M, params: ClientRequestOf<M>, more: Partial<ClientCall> = {}): ClientCall {
  // Method and parameters belong together; the wide type of a call cannot express that.
  return {
    method,
    params,
    peer: PLAIN_PEER,
    requestId: 'request-1',
    attempt: 1,
    headers: {},
    extensions: [],
    signal: undefined,
    timeouts: {},
    budget: createBudget({ clock: systemClock }),
    ...more,
  } as ClientCall;
}

export function toolsOf(exchange: Exchange, more: Partial<TransportTools> = {}): TransportTools {
  return { exchange, maxResponseBytes: 1024 * 1024, ...more };
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export type Script = ScriptedAnswer | ((request: HttpRequest) => ScriptedAnswer);

export interface ScriptedPeer {
  readonly exchange: Exchange;
  /** Every request, oldest first. */
  readonly requests: readonly HttpRequest[];
}

/** Responds from a script through a real `fetch` exchange. The last response is repeated. */
export function scriptedPeer(...answers: readonly Script[]): ScriptedPeer {
  const requests: HttpRequest[] = [];
  const exchange: Exchange = (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {};
    requests.push(request);
    const {
      status = 200,
      headers = { 'content-type': 'application/json' },
      body = '',
    } = typeof answer === 'function' ? answer(request) : answer;
    return fetchExchange({ fetch: async () => new Response(body, { status, headers }) })(request);
  };
  return { exchange, requests };
}

/** A JSON-RPC response with the id of the request. */
export function rpcAnswer(members: object): (request: HttpRequest) => ScriptedAnswer {
  return ({ body = '' }) => ({ body: JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, ...members }) });
}

export interface Sending<M extends ClientMethod> {
  readonly method: M;
  readonly params: ClientRequestOf<M>;
  readonly at?: AgentInterface;
  readonly call?: Partial<ClientCall>;
  readonly tools?: Partial<TransportTools>;
}

export function send<M extends ClientMethod>(transport: Transport, exchange: Exchange, sending: Sending<M>): Promise<ClientReply> {
  const { method, params, at = interfaceAt(), call, tools } = sending;
  return transport.send(callOf(method, params, call), at, toolsOf(exchange, tools));
}

export async function resultOf<M extends ClientMethod>(
  transport: Transport,
  exchange: Exchange,
  sending: Sending<M>,
): Promise<ClientResponseOf<M>> {
  const reply = await send(transport, exchange, sending);
  if (reply.kind !== 'value') throw new Error(`${sending.method} returned a stream`);
  return reply.value as ClientResponseOf<M>;
}

export async function eventsOf<M extends ClientMethod>(
  transport: Transport,
  exchange: Exchange,
  sending: Sending<M>,
): Promise<readonly StreamedEvent[]> {
  const reply = await send(transport, exchange, sending);
  if (reply.kind !== 'stream') throw new Error(`${sending.method} returned a value`);
  const events: StreamedEvent[] = [];
  for await (const event of reply.events) events.push(event);
  return events;
}

/** The value that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
