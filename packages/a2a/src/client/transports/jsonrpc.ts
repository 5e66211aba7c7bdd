/** JSON-RPC: every operation is a POST to one URL. */
import { A2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import { isStreaming } from '../../protocol/methods.js';
import type { AgentInterface } from '../../protocol/types.js';
import { readRpcError } from '../../wire/read-error.js';
import type { ClientCall } from '../call.js';
import { fetchAgentCard, isCardCall } from './agent-card.js';
import { checkBodySize } from './check-body-size.js';
import type { HttpRequest } from './exchange.js';
import { type ResultFormat, readAnswer, wrappingOf } from './read-answer.js';
import { errorOptions, type ReceivedResponse, unreadable } from './read-response.js';
import { exchangeFollowing } from './redirects.js';
import { toHeaders, withQuery } from './request-headers.js';
import type { Transport } from './transport.js';

const UNARY = { accept: 'application/json, application/a2a+json', contentType: 'application/json', stream: false } as const;
const STREAM = { accept: 'text/event-stream, application/json', contentType: 'application/json', stream: true } as const;

/** How a protocol version writes its calls. */
export interface RpcFormat extends ResultFormat {
  methodName(method: string): string;
  toParams(call: ClientCall): unknown;
}

const CURRENT: RpcFormat = { methodName: (method) => method, toParams: ({ params }) => params };

/** Creates the transport for JSON-RPC over HTTP. */
export function jsonRpc(): Transport {
  return jsonRpcIn(CURRENT);
}

/** The transport for one protocol version. */
export function jsonRpcIn(format: RpcFormat): Transport {
  const wrapping = wrappingOf(unwrap, format);
  // Unique for the lifetime of the transport, which is longer than any request.
  let lastId = 0;
  return {
    binding: 'JSONRPC',
    send(call, at, tools) {
      if (isCardCall(call)) return fetchAgentCard(call, at, tools);
      const rpcId = ++lastId;
      try {
        const request = toRequest(call, at, { rpcId, format });
        return exchangeFollowing(tools.exchange, request).then((response) => readAnswer({ call, tools, response, rpcId }, wrapping));
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}

interface Envelope {
  readonly rpcId: number;
  readonly format: RpcFormat;
}

function toRequest(call: ClientCall, at: AgentInterface, { rpcId, format }: Envelope): HttpRequest {
  const method = JSON.stringify(format.methodName(call.method));
  const body = `{"jsonrpc":"2.0","id":${rpcId},"method":${method},"params":${encodeParams(call, at, format.toParams(call))}}`;
  checkBodySize(call, body);
  return {
    method: 'POST',
    url: withQuery(at.url, call.query),
    headers: toHeaders(call, at, isStreaming(call.method) ? STREAM : UNARY),
    body,
    signal: call.signal,
    deadline: call.budget.deadline,
    timeouts: call.timeouts,
  };
}

/** Adds the tenant of the interface, unless the caller names one. */
function encodeParams({ method }: ClientCall, { tenant = '' }: AgentInterface, params: unknown): string {
  const isSaid = tenant === '' || !isObject(params) || (params.tenant !== undefined && params.tenant !== '');
  try {
    return JSON.stringify(isSaid ? params : { ...params, tenant }) ?? '{}';
  } catch (cause) {
    throw new A2AError('INVALID_PARAMS', `The parameters of ${method} cannot be written as JSON`, { cause });
  }
}

function unwrap(answer: ReceivedResponse, value: unknown, isError: boolean): unknown {
  const { method } = answer.call;
  if (!isObject(value)) throw unreadable(`The response to ${method} is not a JSON-RPC response`);
  const { error, result } = value;
  if (error !== undefined && error !== null) throw rpcError(answer, error, value.id);
  if (result !== undefined) {
    checkId(answer, value.id);
    return result;
  }
  if (isError) throw readRpcError(value, errorOptions(answer));
  throw unreadable(`The response to ${method} has neither a result nor an error`);
}

/** A peer that could not parse the request does not know its id. */
function rpcError(answer: ReceivedResponse, error: unknown, id: unknown): Error {
  const read = readRpcError(error, errorOptions(answer));
  if (id === undefined || id === null || isId(answer, id)) return read;
  return mismatch(answer, read);
}

function checkId(answer: ReceivedResponse, id: unknown): void {
  if (!isId(answer, id)) throw mismatch(answer);
}

/** Some peers convert every id to a string. */
function isId({ rpcId }: ReceivedResponse, id: unknown): boolean {
  return id === rpcId || id === String(rpcId);
}

function mismatch({ call }: ReceivedResponse, cause?: unknown): Error {
  return unreadable(`The response to ${call.method} is for another request: its id is not the one that was sent`, cause);
}
