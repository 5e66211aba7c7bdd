/** HTTP+JSON: every operation has its own path and verb. */
import { A2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import { isMethodName, isStreaming, type MethodName } from '../../protocol/methods.js';
import type { AgentInterface } from '../../protocol/types.js';
import { readRestError, readRpcError } from '../../wire/read-error.js';
import { toRestTarget } from '../../wire/rest-target.js';
import type { ClientCall, ClientReply } from '../call.js';
import { fetchAgentCard, isCardCall } from './agent-card.js';
import { checkBodySize } from './check-body-size.js';
import type { HttpRequest } from './exchange.js';
import { failureOf, failureText, readAnswer, type Wrapping } from './read-answer.js';
import { errorOptions, type ReceivedResponse } from './read-response.js';
import { exchangeFollowing } from './redirects.js';
import { type HeaderChoice, toHeaders, withQuery } from './request-headers.js';
import type { Transport, TransportTools } from './transport.js';

const JSON_TYPES = 'application/a2a+json, application/json';
const STREAM_TYPES = `text/event-stream, ${JSON_TYPES}`;

// One object per kind of request, created once.
const BARE: HeaderChoice = { accept: JSON_TYPES, stream: false };
const WITH_BODY: HeaderChoice = { ...BARE, contentType: 'application/a2a+json' };
const BARE_STREAM: HeaderChoice = { accept: STREAM_TYPES, stream: true };
const STREAM_WITH_BODY: HeaderChoice = { ...BARE_STREAM, contentType: 'application/a2a+json' };

interface Way {
  readonly at: AgentInterface;
  readonly tools: TransportTools;
}

/** Creates the transport for HTTP+JSON, which the specification also calls REST. */
export function rest(): Transport {
  // Interfaces that accept a subscription only by GET.
  const subscribesByGet = new WeakSet<AgentInterface>();

  const subscribe = async (call: ClientCall, method: MethodName, { at, tools }: Way): Promise<ClientReply> => {
    const answer = { call, tools, response: await exchangeFollowing(tools.exchange, toRequest(call, method, { at, route: 0 })) };
    if (!NO_SUCH_ROUTE.has(answer.response.status)) return readAnswer(answer, BODY);
    const text = await failureText(answer);
    // A detailed error was sent by an operation, so the route exists.
    if (text.includes('google.rpc.ErrorInfo')) throw failureOf(answer, text);
    const response = await exchangeFollowing(tools.exchange, toRequest(call, method, { at, route: 1 }));
    if (response.status < 400) subscribesByGet.add(at);
    return readAnswer({ call, tools, response }, BODY);
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
      const byGet = isSubscription && subscribesByGet.has(at);
      if (isSubscription && !byGet) return subscribe(call, method, { at, tools });
      const response = await exchangeFollowing(tools.exchange, toRequest(call, method, { at, route: byGet ? 1 : 0 }));
      return readAnswer({ call, tools, response }, BODY);
    },
  };
}

const NO_SUCH_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);

function toRequest(
  call: ClientCall,
  method: MethodName,
  { at, route }: { readonly at: AgentInterface; readonly route: number },
): HttpRequest {
  const { params } = call;
  const own = 'tenant' in params && params.tenant !== '' ? params.tenant : undefined;
  const { verb, url, body } = toRestTarget({ method, params, base: at.url, tenant: own ?? at.tenant, route });
  if (body !== undefined) checkBodySize(call, body);
  return {
    method: verb,
    url: withQuery(url, call.query),
    headers: toHeaders(call, at, choose(isStreaming(method), body !== undefined)),
    body,
    signal: call.signal,
    deadline: call.budget.deadline,
    timeouts: call.timeouts,
  };
}

function choose(stream: boolean, body: boolean): HeaderChoice {
  if (stream) return body ? STREAM_WITH_BODY : BARE_STREAM;
  return body ? WITH_BODY : BARE;
}

const BODY: Wrapping = {
  unwrap(answer, value, isError) {
    if (!isObject(value)) return value;
    // Some servers use the JSON-RPC envelope on every path.
    if (value.jsonrpc === '2.0' && isObject(value.error)) throw readRpcError(value.error, errorOptions(answer));
    if (value.jsonrpc === '2.0' && value.result !== undefined) return value.result;
    if (isError || isObject(value.error)) throw readRestError(value, statusOf(answer, value.error), errorOptions(answer));
    return value;
  },
};

/** In a stream that began with status 200, the error contains its own status. */
function statusOf({ response }: ReceivedResponse, error: unknown): number {
  const code = isObject(error) ? error.code : undefined;
  if (typeof code === 'number' && code >= 300 && code < 600) return code;
  return response.status >= 300 ? response.status : 500;
}
