/** Serves the public card at its well-known path, with the headers that caches need to store and revalidate it. */
import { checkOutput } from '#output-check';
import type { Agent } from '../server/agent.js';
import type { WireReply, WireRequest } from '../wire/http.js';
import type { BindingRequest } from './binding-request.js';
import type { Address } from './public-url.js';

export const CARD_PATH = '/.well-known/agent-card.json';

const BINDINGS = ['JSONRPC', 'HTTP+JSON'];
const MAX_AGE_SECONDS = 300;
// The URL may come from the caller's Host header: a client must not be able to fill the memory with cards.
const MAX_CARDS = 100;

interface CardText {
  readonly json: string;
  readonly etag: string;
}

export type ServeCard = (incoming: BindingRequest, address: Address) => Promise<WireReply>;

export function createCard(agent: Agent): ServeCard {
  // The options of an agent never change, so its card was last modified when the server started.
  const since = Math.floor(agent.settings.clock.now() / 1000) * 1000;
  const lastModified = new Date(since).toUTCString();
  const texts = new Map<string, Promise<CardText>>();

  const textAt = (url: string): Promise<CardText> => {
    const known = texts.get(url);
    if (known) return known;
    if (texts.size >= MAX_CARDS) texts.clear();
    const made = makeText(agent, url);
    texts.set(url, made);
    return made;
  };

  return async ({ request, requestId }, { url, vary }) => {
    const { json, etag } = await textAt(url);
    const headers = {
      etag,
      'cache-control': `${vary === undefined ? 'public' : 'private'}, max-age=${MAX_AGE_SECONDS}`,
      'last-modified': lastModified,
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...(vary === undefined ? undefined : { vary }),
    };
    if (isFresh(request, etag, since)) return { status: 304, headers, body: '' };
    return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body: json };
  };
}

async function makeText(agent: Agent, url: string): Promise<CardText> {
  const json = JSON.stringify(agent.cardAt({ url, bindings: BINDINGS }));
  checkOutput('AgentCard', json);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json));
  const hex = Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { json, etag: `"${hex}"` };
}

/** Whether the client's copy is current. `If-None-Match` is compared weakly and takes precedence over the date (RFC 9110). */
function isFresh(request: WireRequest, etag: string, since: number): boolean {
  const tags = request.header('if-none-match');
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  }
  const date = request.header('if-modified-since');
  return date !== undefined && Date.parse(date) >= since;
}
