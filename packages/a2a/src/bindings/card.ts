/** Serves the public card at its well-known path, with the headers that caches need to store and revalidate it. */
import { checkOutput } from '#output-check';
import type { AgentCard } from '../protocol/types.js';
import { parseVersion } from '../protocol/version.js';
import type { Agent } from '../server/agent.js';
import type { WireReply, WireRequest } from '../wire/http.js';
import { type BindingRequest, versionOf } from './binding-request.js';
import type { Compat } from './compat.js';
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

/** Serves the card of both versions, or that of 1.0 to a request with this version. Without `compat`, all requests get that of 1.0. */
export function createCard(agent: Agent, compat: Compat | undefined): ServeCard {
  const supersetText = compat?.cardText;
  // The options of an agent never change, so its card was last modified when the server started.
  const since = Math.floor(agent.settings.clock.now() / 1000) * 1000;
  const lastModified = new Date(since).toUTCString();
  const strict = createTexts(agent, strictText);
  const superset = supersetText && createTexts(agent, supersetText);
  const varyByVersion = superset === undefined ? undefined : 'A2A-Version';

  return async ({ request, requestId }, { url, vary: varyByUrl }) => {
    const textAt = superset === undefined || asksForCurrent(request) ? strict : superset;
    const { json, etag } = await textAt(url);
    const vary = varyByVersion !== undefined && varyByUrl !== undefined ? `${varyByVersion}, ${varyByUrl}` : (varyByVersion ?? varyByUrl);
    const headers = {
      etag,
      'cache-control': `${varyByUrl === undefined ? 'public' : 'private'}, max-age=${MAX_AGE_SECONDS}`,
      'last-modified': lastModified,
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...(vary === undefined ? undefined : { vary }),
    };
    if (isFresh(request, etag, since)) return { status: 304, headers, body: '' };
    return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body: json };
  };
}

type CardToText = (card: AgentCard) => string | Promise<string>;

/** The texts of one form of the card, by the URL of the agent. */
function createTexts(agent: Agent, toText: CardToText): (url: string) => Promise<CardText> {
  const texts = new Map<string, Promise<CardText>>();
  return (url) => {
    const known = texts.get(url);
    if (known) return known;
    if (texts.size >= MAX_CARDS) texts.clear();
    const made = makeText(agent, url, toText);
    made.catch(() => texts.delete(url)); // a failed one is not kept
    texts.set(url, made);
    return made;
  };
}

function strictText(card: AgentCard): string {
  const json = JSON.stringify(card);
  checkOutput('AgentCard', json);
  return json;
}

function asksForCurrent(request: WireRequest): boolean {
  return parseVersion(versionOf(request))?.startsWith('1.') === true;
}

async function makeText(agent: Agent, url: string, toText: CardToText): Promise<CardText> {
  const json = await toText(agent.cardAt({ url, bindings: BINDINGS }));
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
