/** HTTP+JSON: every operation has its own path and verb. */
import { A2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import { isMethodName, isStreaming, type MethodName } from '../../protocol/methods.js';
import type { AgentInterface } from '../../protocol/types.js';
import { readRestError, readRpcError } from '../../wire/read-error.js';
import { type RestTarget, toRestTarget } from '../../wire/rest-target.js';
import type { ClientCall, ClientReply } from '../call.js';
import { fetchAgentCard, isCardCall } from './agent-card.js';
import { checkBodySize } from './check-body-size.js';
import type { HttpRequest } from './exchange.js';
import { failureOf, failureText, type ResultFormat, readAnswer, wrappingOf } from './read-answer.js';
import { errorOptions, type ReceivedResponse } from './read-response.js';
import { exchangeFollowing } from './redirects.js';
import { toHeaders, withQuery } from './request-headers.js';
import type { Transport, TransportTools } from './transport.js';

const JSON_TYPES = 'application/a2a+json, application/json';
const STREAM_TYPES = `text/event-stream, ${JSON_TYPES}`;

/** How a protocol version writes its requests. */
export interface RestFormat extends ResultFormat {
  /** Verb, URL and body of a request by the given route of its method. */
  toTarget(call: ClientCall<MethodName>, way: { readonly at: AgentInterface; readonly route: number }): RestTarget;
  readonly contentType: string;
}

const CURRENT: RestFormat = {
  toTarget({ method, params }, { at, route }) {
    const own = 'tenant' in params && params.tenant !== '' ? params.tenant : undefined;
    return toRestTarget({ method, params, base: at.url, tenant: own ?? at.tenant, route });
  },
  contentType: 'application/a2a+json',
};

interface Way {
  readonly at: AgentInterface;
  readonly tools: TransportTools;
}

/** Creates the transport for HTTP+JSON, which the specification also calls REST. */
export function rest(): Transport {
  return restIn(CURRENT);
}

/** The transport for one protocol version. */
export function restIn(format: RestFormat): Transport {
  const wrapping = wrappingOf(unwrap, format);
  const toRequest = (call: ClientCall, method: MethodName, way: { readonly at: AgentInterface; readonly route: number }): HttpRequest => {
    const { verb, url, body } = format.toTarget(call as ClientCall<MethodName>, way); // not the request for the card
    if (body !== undefined) checkBodySize(call, body);
    const stream = isStreaming(method);
    return {
      method: verb,
      url: withQuery(url, call.query),
      headers: toHeaders(call, way.at, { accept: stream ? STREAM_TYPES : JSON_TYPES, contentType: body && format.contentType, stream }),
      body,
      signal: call.signal,
      deadline: call.budget.deadline,
      timeouts: call.timeouts,
    };
  };
  // Interfaces that accept a subscription only by the second route.
  const subscribesBySecond = new WeakSet<AgentInterface>();

  const subscribe = async (call: ClientCall, method: MethodName, { at, tools }: Way): Promise<ClientReply> => {
    const answer = { call, tools, response: await exchangeFollowing(tools.exchange, toRequest(call, method, { at, route: 0 })) };
    if (!NO_SUCH_ROUTE.has(answer.response.status)) return readAnswer(answer, wrapping);
    const text = await failureText(answer);
    if (isOfOperation(text)) throw failureOf(answer, text);
    const response = await exchangeFollowing(tools.exchange, toRequest(call, method, { at, route: 1 }));
    if (response.status < 400) subscribesBySecond.add(at);
    return readAnswer({ call, tools, response }, wrapping);
  };

  return {
    binding: 'HTTP+JSON',
    async send(call, at, tools) {
      if (isCardCall(call)) return fetchAgentCard(call, at, tools);
      const method: string = call.method;
      if (!isMethodName(method))
        throw new A2AError(
          'METHOD_NOT_FOUND',
          `HTTP+JSON has no path for the method ${method}; use a JSON-RPC interface if the agent has one`,
        );
      const isSubscription = method === 'SubscribeToTask';
      const bySecond = isSubscription && subscribesBySecond.has(at);
      if (isSubscription && !bySecond) return subscribe(call, method, { at, tools });
      const response = await exchangeFollowing(tools.exchange, toRequest(call, method, { at, route: bySecond ? 1 : 0 }));
      return readAnswer({ call, tools, response }, wrapping);
    },
  };
}

const NO_SUCH_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);

/** An error with details, or with a code other than "method not found", was sent by an operation: the route exists. */
function isOfOperation(text: string): boolean {
  return text.includes('google.rpc.ErrorInfo') || (/"code": ?-32\d{3}/.test(text) && !text.includes('-32601'));
}

function unwrap(answer: ReceivedResponse, value: unknown, isError: boolean): unknown {
  if (!isObject(value)) return value;
  // Some servers use the JSON-RPC envelope on every path.
  if (value.jsonrpc === '2.0' && isObject(value.error)) throw readRpcError(value.error, errorOptions(answer));
  if (value.jsonrpc === '2.0' && value.result !== undefined) return value.result;
  if (isError || isObject(value.error)) throw readRestError(value, statusOf(answer, value.error), errorOptions(answer));
  return value;
}

/** In a stream that began with status 200, the error contains its own status. */
function statusOf({ response }: ReceivedResponse, error: unknown): number {
  const code = isObject(error) ? error.code : undefined;
  if (typeof code === 'number' && code >= 300 && code < 600) return code;
  return response.status >= 300 ? response.status : 500;
}
