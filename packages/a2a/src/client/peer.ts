/** The agent as calls see it: its card and the interfaces to send to. */
import { A2ACardSignatureError, A2AInvalidCardError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import type { OriginRule } from './auth/origins.js';
import type { GetAgentCardResponse, Peer } from './call.js';
import type { CallOptions } from './call-options.js';
import { type CardCacheOptions, createCardCache } from './card-cache.js';
import { cardRequest, isOnBehalfOfOthers } from './card-request.js';
import { asIs, type CardInUse, chooseCard } from './extended-card.js';
import { logOf } from './log-extension.js';
import type { MakeCall } from './make-call.js';
import { readCard } from './read-card.js';
import type { ResolvedOptions } from './resolve-options.js';
import { homeOf, type Selection, selectInterface } from './select-interface.js';
import type { InterfaceMemory } from './send-over-interfaces.js';
import { shareInFlight } from './share-in-flight.js';

/** A peer whose card is known. */
export interface KnownPeer extends Peer {
  readonly card: AgentCard;
}

export interface PeerSource {
  /** Returns the peer if no request is needed, which is nearly always the case. */
  atHand(options: CallOptions): KnownPeer | undefined;
  /** Rejects if the card cannot be fetched, is not trusted, or has no interface that the client supports. */
  get(options?: CallOptions): Promise<KnownPeer>;
  /** Returns only the card, even if this client cannot call its interfaces. */
  card(options?: CallOptions): Promise<AgentCard>;
  /** Sends one GET for the card, even if the cached one is fresh. */
  ping(options?: CallOptions): Promise<void>;
}

/** The address of the agent. */
export interface Target {
  /** The address that the client was created with, or the first one of the given card. */
  readonly url: string;
  readonly cardUrl: string;
  /** Where the card was before A2A 0.3; undefined if the caller chose its address. */
  readonly oldCardUrl?: string | undefined;
  /** A card that was passed by the caller instead of fetched. */
  readonly preset: AgentCard | undefined;
}

export interface PeerParts extends Target {
  /** Bindings that the client supports, as cards spell them. */
  readonly speaks: readonly string[];
  readonly memory: InterfaceMemory;
  readonly options: ResolvedOptions;
  readonly origins: OriginRule;
  readonly makeCall: MakeCall;
}

/** The public card. A client and all its `withHeaders` clients share it. */
export interface PublicCard {
  /** Returns the card while it may be used without revalidation. */
  fresh(): AgentCard | undefined;
  get(request: CallOptions): Promise<AgentCard>;
  /** Revalidates the card even if it is fresh. */
  refresh(request: CallOptions): Promise<AgentCard>;
}

/**
 * Creates the view of the agent for one client with its own `headers`. The extended card belongs to the client and is requested without any
 * options of a call. Calls with credentials of their own use the public card.
 */
export function createPeerSource(parts: PeerParts, publicCard: PublicCard, headers: Readonly<Record<string, string>>): PeerSource {
  const { memory, options } = parts;
  const { clock } = options.settings;
  const extended = { ...parts, fetch: (card: AgentCard, asked: CallOptions) => fetchExtended(card, asked, parts) };
  const known = new WeakMap<AgentCard, KnownPeer>();
  let inUse: CardInUse | undefined;

  const chooseOwn = shareInFlight(async ({ card, signal }: { card: AgentCard; signal?: AbortSignal | undefined }): Promise<CardInUse> => {
    inUse = await chooseCard(card, { headers, signal }, extended);
    return inUse;
  });
  const usedFor = (card: AgentCard): CardInUse | undefined =>
    inUse?.publicCard === card && clock.now() < inUse.goodUntil ? inUse : undefined;
  const ownCard = async (card: AgentCard, signal: AbortSignal | undefined): Promise<CardInUse> =>
    usedFor(card) ?? chooseOwn({ card, signal });

  const ordered = (peer: KnownPeer): KnownPeer => {
    const interfaces = memory.inOrder(peer.interfaces);
    return interfaces === peer.interfaces ? peer : { ...peer, interfaces };
  };

  return {
    atHand(asked) {
      const card = publicCard.fresh();
      if (card === undefined) return undefined;
      const used = isOnBehalfOfOthers(asked, card) ? card : usedFor(card)?.card;
      const peer = used && known.get(used);
      return peer && ordered(peer);
    },
    async get(asked = {}) {
      const everybodys = await publicCard.get(cardRequest(asked, headers));
      const isForOthers = isOnBehalfOfOthers(asked, everybodys);
      const { card, interfaces } = isForOthers ? asIs(everybodys) : await ownCard(everybodys, asked.signal);
      const peer = known.get(card) ?? toPeer(card, select({ ...card, supportedInterfaces: interfaces }, parts), parts);
      known.set(card, peer);
      return ordered(peer);
    },
    async card(asked = {}) {
      const everybodys = await publicCard.get(cardRequest(asked, headers));
      const isOwn = !isOnBehalfOfOthers(asked, everybodys) && asked.tenant === undefined;
      if (isOwn) return (await ownCard(everybodys, asked.signal)).card;
      return (await chooseCard(everybodys, { ...asked, headers: { ...headers, ...asked.headers } }, extended)).card;
    },
    async ping(asked = {}) {
      await publicCard.refresh({ ...cardRequest(asked, headers), timeouts: asked.timeouts });
    },
  };
}

export function createPublicCard(parts: PeerParts): PublicCard {
  const { options, preset } = parts;
  const { clock, logger } = options.settings;
  const cache = createCardCache({
    fetch: cardSource(parts),
    verify: (card) => verify(card, 'fetched', parts),
    clock,
    logger,
  });
  return preset === undefined ? cache : { fresh: () => preset, get: verifiedOnce(preset, parts), refresh: cache.refresh };
}

function cardSource({ cardUrl, oldCardUrl, ...parts }: PeerParts): CardCacheOptions['fetch'] {
  const peer = strangerAt({ cardUrl, ...parts });
  let place = cardUrl;
  return async (known, options) => {
    // While an old card is cached, no retries: callers should not wait for a server that is down.
    const retries = known === undefined ? undefined : 0;
    const fetch = (url: string): Promise<GetAgentCardResponse> =>
      parts.makeCall('GetAgentCard', { url, etag: known?.etag, lastModified: known?.lastModified }, { peer, options, retries });
    try {
      return await fetch(place);
    } catch (error) {
      // An agent whose card was at today's path is not one of an older version.
      const other = place === cardUrl ? (known === undefined ? oldCardUrl : undefined) : cardUrl;
      if (other === undefined || parts.options.compat !== true || !isMissing(error)) throw error;
      // What is wrong with a card at the other path is not the problem of an agent without one; a refused caller is.
      const found = await fetch(other).catch((second: unknown) => Promise.reject(second instanceof A2AInvalidCardError ? error : second));
      place = other;
      return found;
    }
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof A2AInvalidCardError && (error.httpStatus === 404 || error.httpStatus === 410);
}

function verifiedOnce(preset: AgentCard, parts: PeerParts): () => Promise<AgentCard> {
  let isVerified = false;
  return async () => {
    if (!isVerified) await verify(preset, 'preset', parts);
    isVerified = true;
    return preset;
  };
}

async function verify(card: AgentCard, source: A2ACardSignatureError['source'], { options, url }: PeerParts): Promise<void> {
  try {
    await options.verifyCard?.(card);
  } catch (cause) {
    throw new A2ACardSignatureError(source, `The ${source} card of ${card.name} (${url}) was rejected by verifyCard`, { cause });
  }
}

async function fetchExtended(publicCard: AgentCard, asked: CallOptions, parts: PeerParts): Promise<AgentCard> {
  const { options, makeCall } = parts;
  const peer = toPeer(publicCard, select(publicCard, parts), parts);
  const offered = publicCard.capabilities.extensions?.map(({ uri }) => uri) ?? [];
  // Only request extensions that the public card offers. The extended card may offer more; those are requested on later calls.
  const extensions = [...options.extensions, ...(asked.extensions ?? [])].filter((uri) => offered.includes(uri));
  const tenant = asked.tenant ?? options.tenant;
  const answer = await makeCall('GetExtendedAgentCard', tenant === undefined ? {} : { tenant }, { peer, options: asked, extensions });
  const card = readCard(answer, `${peer.interfaces[0]?.url} (extended)`);
  await verify(card, 'extended', parts);
  return card;
}

function select(card: AgentCard, parts: PeerParts): Selection {
  const { options, preset, url, speaks, origins } = parts;
  const home = keyOf(parts);
  const own = preset === undefined ? url : home;
  const older = options.compat !== false;
  return selectInterface(card, { prefer: options.prefer, url: own, speaks, mayCall: (at) => origins.mayCall(home, at), older });
}

function keyOf({ preset, url, cardUrl, speaks, options }: PeerParts): string {
  return preset === undefined ? cardUrl : (homeOf(preset, { prefer: options.prefer, speaks }) ?? url);
}

/** The peer before its card is known. */
function strangerAt(parts: PeerParts): Peer {
  const key = keyOf(parts);
  return { key, name: key, card: undefined, interfaces: [], log: { lastEventId: false, idempotencyKey: false } };
}

function toPeer(card: AgentCard, { chosen, fallbacks }: Selection, parts: PeerParts): KnownPeer {
  return { ...strangerAt(parts), name: card.name, card, interfaces: [chosen, ...fallbacks], log: logOf(card) };
}
