/** Fetches the public card of an agent. The request is the same for every binding. */
import { A2AInvalidCardError, isA2AError, isTransportError } from '../../protocol/errors.js';
import type { AgentCard, AgentInterface } from '../../protocol/types.js';
import { cacheRules } from '../cache-rules.js';
import type { ClientCall, ClientReply, GetAgentCardResponse } from '../call.js';
import { toExchangeError } from './network-failure.js';
import { failureOf, failureText } from './read-answer.js';
import { bodyLimit, extensionsOf, isOk, parseAnswer, type ReceivedResponse, readAs } from './read-response.js';
import { exchangeFollowing } from './redirects.js';
import { toHeaders, withQuery } from './request-headers.js';
import type { TransportTools } from './transport.js';

const CHOICE = { accept: 'application/json, application/a2a+json', stream: false } as const;

export function isCardCall(call: ClientCall): call is ClientCall<'GetAgentCard'> {
  return call.method === 'GetAgentCard';
}

/** Rejects with A2AInvalidCardError if there is no card at the URL, or one that cannot be used. */
export async function fetchAgentCard(
  call: ClientCall<'GetAgentCard'>,
  at: AgentInterface | undefined,
  tools: TransportTools,
): Promise<ClientReply<'GetAgentCard'>> {
  const { url, etag, lastModified } = call.params;
  const headers = toHeaders(call, at, CHOICE);
  if (etag !== undefined) headers['if-none-match'] ??= etag;
  if (lastModified !== undefined) headers['if-modified-since'] ??= lastModified;
  const { signal, timeouts } = call;
  const request = { method: 'GET', url: withQuery(url, call.query), headers, signal, timeouts, deadline: call.budget.deadline } as const;
  const response = await exchangeFollowing(tools.exchange, request);
  try {
    const value = await readCard({ call, tools, response }, etag !== undefined || lastModified !== undefined);
    return { kind: 'value', value, extensions: extensionsOf(response) };
  } catch (thrown) {
    throw toExchangeError(thrown, { signal, answered: true });
  }
}

async function readCard(answer: ReceivedResponse, wasAtHand: boolean): Promise<GetAgentCardResponse> {
  const { response } = answer;
  const { maxAgeMs, store } = cacheRules((name) => response.header(name));
  const caching = { ...(store && { etag: response.header('etag'), lastModified: response.header('last-modified') }), maxAgeMs };
  if (response.status === 304 && wasAtHand) {
    response.discard();
    return caching;
  }
  if (!isOk(response)) {
    const text = await failureText(answer);
    throw response.status === 404 || response.status === 410
      ? invalid(answer, `not found (HTTP ${response.status})`)
      : failureOf(answer, text);
  }
  return { card: parseCard(answer, await cardText(answer)), ...caching };
}

/** A card that is too large is an invalid card; other failures concern the connection. */
function cardText(answer: ReceivedResponse): Promise<string> {
  return answer.response.text(bodyLimit(answer)).catch((thrown: unknown) => {
    throw isTransportError(thrown) && thrown.kind === 'serialization' ? invalid(answer, thrown.message, thrown) : thrown;
  });
}

function parseCard(answer: ReceivedResponse, text: string): AgentCard {
  try {
    return readAs('AgentCard', parseAnswer(text, 'GetAgentCard'), 'GetAgentCard');
  } catch (error) {
    throw invalid(answer, isA2AError(error) ? error.message : 'it cannot be read', error);
  }
}

/** The query may contain a key, so the address is shown without it. */
function invalid({ call, response }: ReceivedResponse, why: string, cause?: unknown): A2AInvalidCardError {
  const { url } = call.params as ClientCall<'GetAgentCard'>['params'];
  const options = cause === undefined ? {} : { cause };
  const httpStatus = isOk(response) ? undefined : response.status;
  return new A2AInvalidCardError(`No agent card at ${url.replace(/[?#].*$/s, '')}: ${why}`, { ...options, httpStatus });
}
