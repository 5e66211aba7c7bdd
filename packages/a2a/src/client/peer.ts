/** The agent as calls see it: its card, and the interfaces to send to. */
import { A2ACardSignatureError } from '../protocol/errors.js';
import { LOG_EXTENSION_URI } from '../protocol/extensions.js';
import type { AgentCard } from '../protocol/types.js';
import type { Peer } from './call.js';
import type { CallOptions } from './call-options.js';
import { type CardCache, createCardCache } from './card-cache.js';
import { type CardInUse, chooseCard } from './extended-card.js';
import type { MakeCall } from './make-call.js';
import { readCard } from './read-card.js';
import type { ResolvedOptions } from './resolve-options.js';
import { type Selection, selectInterface } from './select-interface.js';
import type { InterfaceMemory } from './send-over-interfaces.js';
import { shareInFlight } from './share-in-flight.js';

/** A peer whose card is there. */
export interface KnownPeer extends Peer {
  readonly card: AgentCard;
}

export interface PeerSource {
  /** The peer where nothing has to be asked for: nearly always. */
  atHand(): KnownPeer | undefined;
  /** Rejects when the card can not be had, is not trusted, or has no interface that the client speaks. */
  get(options?: CallOptions): Promise<KnownPeer>;
  /** The card alone, which may be one that this client can not call. */
  card(options?: CallOptions): Promise<AgentCard>;
  /** One GET of the card, however fresh the one at hand is. */
  ping(options?: CallOptions): Promise<void>;
}

/** Where the agent is. */
export interface Target {
  /** The address that the client was made with, or the first one of the card that it was given. */
  readonly url: string;
  readonly cardUrl: string;
  /** Given instead of being fetched. */
  readonly preset: AgentCard | undefined;
}

export interface PeerParts extends Target {
  /** Bindings that the client speaks, as cards write them. */
  readonly speaks: readonly string[];
  readonly memory: InterfaceMemory;
  readonly options: ResolvedOptions;
  readonly makeCall: MakeCall;
}

export function createPeerSource(parts: PeerParts): PeerSource {
  const { preset, memory, options } = parts;
  const { clock } = options.settings;
  const cache = cacheOf(parts);
  const publicCard = preset === undefined ? (asked: CallOptions) => cache.get(asked) : verifiedOnce(preset, parts);
  const extended = { ...parts, fetch: (card: AgentCard, asked: CallOptions) => fetchExtended(card, asked, parts) };
  let inUse: CardInUse | undefined;
  let known: KnownPeer | undefined;

  const resolve = shareInFlight(async (asked: CallOptions): Promise<CardInUse> => {
    const card = await publicCard(asked);
    if (inUse?.publicCard === card && clock.now() < inUse.goodUntil) return inUse;
    inUse = await chooseCard(card, asked, extended);
    return inUse;
  });

  const ordered = (peer: KnownPeer): KnownPeer => {
    const interfaces = memory.inOrder(peer.interfaces);
    return interfaces === peer.interfaces ? peer : { ...peer, interfaces };
  };

  return {
    atHand() {
      if (known === undefined || inUse?.card !== known.card || clock.now() >= inUse.goodUntil) return undefined;
      return inUse.publicCard === (preset ?? cache.fresh()) ? ordered(known) : undefined;
    },
    async get(asked = {}) {
      const { card, interfaces } = await resolve(asked);
      if (known?.card !== card) known = toPeer(card, select({ ...card, supportedInterfaces: interfaces }, parts), parts);
      return ordered(known);
    },
    card: async (asked = {}) => (await resolve(asked)).card,
    async ping(asked = {}) {
      await cache.refresh(asked);
    },
  };
}

function cacheOf(parts: PeerParts): CardCache {
  const { cardUrl, options, makeCall } = parts;
  const { clock, logger } = options.settings;
  return createCardCache({
    fetch: (known, asked) =>
      makeCall(
        'GetAgentCard',
        { url: cardUrl, etag: known?.etag, lastModified: known?.lastModified },
        // While an old card is at hand nobody wants to wait for a server that is down.
        { peer: strangerAt(parts), options: asked, retries: known === undefined ? undefined : 0 },
      ),
    verify: (card) => verify(card, 'fetched', parts),
    clock,
    logger,
  });
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
    throw new A2ACardSignatureError(source, `The ${source} card of ${card.name} (${url}) is not to be trusted`, { cause });
  }
}

async function fetchExtended(publicCard: AgentCard, asked: CallOptions, parts: PeerParts): Promise<AgentCard> {
  const { options, makeCall } = parts;
  const peer = toPeer(publicCard, select(publicCard, parts), parts);
  const offered = publicCard.capabilities.extensions?.map(({ uri }) => uri) ?? [];
  // The extended card may offer what the public one does not: that is asked for later.
  const extensions = [...options.extensions, ...(asked.extensions ?? [])].filter((uri) => offered.includes(uri));
  const tenant = asked.tenant ?? options.tenant;
  const answer = await makeCall('GetExtendedAgentCard', tenant === undefined ? {} : { tenant }, { peer, options: asked, extensions });
  const card = readCard(answer, `${peer.interfaces[0]?.url} (extended)`);
  await verify(card, 'extended', parts);
  return card;
}

function select(card: AgentCard, { options, url, speaks }: PeerParts): Selection {
  return selectInterface(card, { prefer: options.prefer, url, speaks });
}

/** All that is known before there is a card. */
function strangerAt({ preset, url, cardUrl }: Target): Peer {
  const key = preset === undefined ? cardUrl : url;
  return { key, name: key, card: undefined, interfaces: [], log: { lastEventId: false, idempotencyKey: false } };
}

function toPeer(card: AgentCard, { chosen, fallbacks }: Selection, target: Target): KnownPeer {
  const params = card.capabilities.extensions?.find(({ uri }) => uri === LOG_EXTENSION_URI)?.params;
  const log = { lastEventId: params?.lastEventId === true, idempotencyKey: params?.idempotencyKey === true };
  return { ...strangerAt(target), name: card.name, card, interfaces: [chosen, ...fallbacks], log };
}
