/** Requests as they were sent, for assertions in tests. */
import { CARD_PATH } from '../bindings/card.js';
import { isMethodName, type MethodName } from '../protocol/methods.js';
import { decodeRequest, type RpcId } from '../wire/jsonrpc.js';
import { matchRoute } from '../wire/rest.js';
import { decodeQuery } from '../wire/rest-query.js';

/** The eleven operations, and the request for the agent card. */
export type RecordedOperation = MethodName | 'GetAgentCard';

/** One request that a test server or proxy received. */
export interface RecordedRequest {
  readonly method: string;
  /** Percent-encoded, with the query. */
  readonly path: string;
  /** Keys are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** '' if there is none. */
  readonly body: string;
  readonly binding: 'rest' | 'jsonrpc';
  /** The operation, for either binding; undefined if it is not an A2A operation. */
  readonly operation: RecordedOperation | undefined;
  /** As sent; for HTTP+JSON, collected from path, query and body. */
  readonly params: unknown;
  /** The id of the JSON-RPC envelope. */
  readonly rpcId: RpcId;
}

/** Reads the operation from a request, wherever the agent is mounted. */
export function recordRequest(sent: Pick<RecordedRequest, 'method' | 'path' | 'headers' | 'body'>): RecordedRequest {
  const [path = '', query = ''] = sent.path.split('?');
  if (path.endsWith(CARD_PATH)) return { ...sent, binding: 'rest', operation: 'GetAgentCard', params: {}, rpcId: null };
  const rpc = sent.method === 'POST' && /"jsonrpc"\s*:/.test(sent.body) ? decodeRequest(sent.body) : undefined;
  if (rpc?.kind === 'request') {
    const operation = isMethodName(rpc.method) ? rpc.method : undefined;
    return { ...sent, binding: 'jsonrpc', operation, params: rpc.params, rpcId: rpc.id };
  }
  const match = findRoute(sent.method, path);
  const members = match?.body ? readObject(sent.body) : decodeQuery(query);
  return { ...sent, binding: 'rest', operation: match?.method, params: { ...members, ...match?.variables }, rpcId: null };
}

/** The longest suffix of the path that is a route. */
function findRoute(verb: string, path: string) {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const routing = matchRoute(verb, path.slice(at));
    if (routing.kind === 'match' && routing.variables.tenant === undefined) return routing;
  }
  return undefined;
}

function readObject(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A request whose body has been read, so that it can be recorded and still be sent. */
export interface SentRequest {
  readonly record: RecordedRequest;
  readonly url: URL;
  readonly signal: AbortSignal;
  /** The arguments for `fetch` to send it again, including the body. */
  readonly again: readonly [url: string, init: RequestInit];
}

/** Reads the arguments of `fetch`. Rejects like `fetch`: for an invalid request, and for a signal that is already aborted. */
export async function readRequest(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<SentRequest> {
  const request = new Request(input, init);
  const { method, url: address, headers, signal } = request;
  signal.throwIfAborted();
  const url = new URL(address);
  // Most bodies are strings that are already available; reading them from the request takes longer than everything else here.
  const body = typeof init?.body === 'string' ? init.body : await request.text();
  signal.throwIfAborted();
  return {
    record: recordRequest({ method, path: `${url.pathname}${url.search}`, headers: Object.fromEntries(headers), body }),
    url,
    signal,
    again: [address, { method, headers, signal: init?.signal ?? signal, ...(body !== '' && { body }) }],
  };
}
