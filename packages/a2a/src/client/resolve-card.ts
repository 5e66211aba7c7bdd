/** Where a card is, and what comes back from there. */
import { type A2AError, A2AInvalidCardError } from '../protocol/errors.js';
import { PROTOCOL_VERSION, VERSION_HEADER } from '../protocol/version.js';
import { decodeJson } from '../wire/json.js';
import { readHttpFailure } from '../wire/read-error.js';
import { cacheRules } from './cache-rules.js';
import type { ClientCall, ClientReply, GetAgentCardResponse } from './call.js';
import { readCard } from './read-card.js';
import type { HttpRequest, HttpResponse } from './transports/exchange.js';
import type { TransportTools } from './transports/transport.js';

const CARD_PATH = '/.well-known/agent-card.json';
const MAX_ERROR_BYTES = 64 * 1024;

interface Asked {
  readonly call: ClientCall<'GetAgentCard'>;
  readonly tools: TransportTools;
}

/** Below the agent's own path, since many agents may share a host; a URL that ends in `.json` is the card itself. */
export function cardUrlOf(url: string, cardPath?: string): string {
  if (cardPath !== undefined && URL.canParse(cardPath)) return new URL(cardPath).href;
  const card = new URL(url);
  card.hash = '';
  if (cardPath === undefined && card.pathname.endsWith('.json')) return card.href;
  const path = cardPath ?? CARD_PATH;
  card.pathname = `${card.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  return card.href;
}

/** One GET of the card; `card` is absent when the peer says that the one at hand is still good. */
export async function fetchCard(call: ClientCall<'GetAgentCard'>, tools: TransportTools): Promise<ClientReply<'GetAgentCard'>> {
  const { url } = call.params;
  const response = await tools.exchange(toRequest(call));
  const { maxAgeMs, store } = cacheRules((name) => response.header(name));
  const validators = store ? { etag: response.header('etag'), lastModified: response.header('last-modified') } : {};
  const value: GetAgentCardResponse = { ...validators, maxAgeMs };
  if (response.status === 304) {
    response.discard();
    return { kind: 'value', value, extensions: [] };
  }
  if (response.status !== 200) throw await refusal(url, response, { call, tools });
  const card = readCard(parse(url, await response.text(tools.maxResponseBytes)), url);
  return { kind: 'value', value: { ...value, card }, extensions: [] };
}

function toRequest({ params, headers, query, signal, timeouts }: ClientCall<'GetAgentCard'>): HttpRequest {
  const { url, etag, lastModified } = params;
  return {
    method: 'GET',
    url: withQuery(url, query),
    headers: {
      accept: 'application/json',
      // Servers that speak several versions choose the card's shape by it.
      [VERSION_HEADER.toLowerCase()]: PROTOCOL_VERSION,
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(etag === undefined && lastModified !== undefined && { 'if-modified-since': lastModified }),
      ...headers,
    },
    signal,
    timeouts,
  };
}

function parse(url: string, text: string): unknown {
  try {
    return decodeJson(text);
  } catch (cause) {
    throw new A2AInvalidCardError(`The card at ${url} is not JSON`, { cause });
  }
}

/** What the server says about why not, if it says so; "not found" and the like mean that there is no card. */
async function refusal(url: string, response: HttpResponse, { call, tools }: Asked): Promise<A2AError> {
  const { status } = response;
  const header = (name: string): string | undefined => response.header(name);
  const bodyText = await response.text(Math.min(tools.maxResponseBytes, MAX_ERROR_BYTES)).catch(() => '');
  const error = readHttpFailure({ status, header, bodyText }, { peer: call.peer.name, now: tools.now });
  if (status === 401 || status === 403 || status === 407 || status === 408 || status === 429 || status >= 500) return error;
  return new A2AInvalidCardError(`There is no card at ${url}: HTTP ${status}`, { httpStatus: status, cause: error });
}

/** Credentials that travel in the URL; no error quotes it. */
function withQuery(url: string, query: Readonly<Record<string, string>> | undefined): string {
  if (query === undefined) return url;
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  return target.href;
}
