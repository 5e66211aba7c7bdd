/** Chooses between the public card and the extended card, which an agent shows to authenticated callers. */
import { originOf } from '../platform/origin.js';
import { toA2AError } from '../protocol/errors.js';
import type { AgentCard, AgentInterface } from '../protocol/types.js';
import type { CallOptions } from './call-options.js';
import type { ResolvedOptions } from './resolve-options.js';

/** The public card, or the extended card that replaces it. */
export interface CardInUse {
  readonly publicCard: AgentCard;
  readonly card: AgentCard;
  /** The interfaces that may be called. Fewer than on the card if an unverified extended card names unknown origins. */
  readonly interfaces: readonly AgentInterface[];
  /** When to request the extended card again after a failure. */
  readonly goodUntil: number;
}

export interface ExtendedCardParts {
  readonly options: ResolvedOptions;
  readonly cardUrl: string;
  /** Fetches, reads and verifies the extended card. */
  fetch(publicCard: AgentCard, callOptions: CallOptions): Promise<AgentCard>;
}

// How long the public card is used after the request for the extended one failed.
const RETRY_MS = 60_000;

/** Uses the public card. */
export function asIs(publicCard: AgentCard): CardInUse {
  return { publicCard, card: publicCard, interfaces: publicCard.supportedInterfaces, goodUntil: Number.POSITIVE_INFINITY };
}

/**
 * Requests the extended card if the agent has one and there are credentials. If the request fails, the public card is used, unless the
 * option `extendedCard` is true.
 */
export async function chooseCard(publicCard: AgentCard, callOptions: CallOptions, parts: ExtendedCardParts): Promise<CardInUse> {
  const { settings, extendedCard } = parts.options;
  const { credentials = parts.options.credentials } = callOptions;
  const isWanted = extendedCard ?? (credentials !== undefined && credentials !== null);
  if (!isWanted || publicCard.capabilities.extendedAgentCard !== true) return asIs(publicCard);
  try {
    const card = await parts.fetch(publicCard, callOptions);
    return { ...asIs(publicCard), card, interfaces: callable(card, publicCard, parts) };
  } catch (thrown) {
    const error = toA2AError(thrown);
    if (extendedCard === true || error.reason === 'ABORTED') throw error;
    const fields = { method: 'GetExtendedAgentCard', reason: error.reason, cause: error };
    settings.logger.warn(fields, 'The extended card could not be fetched; the public one is used');
    return { ...asIs(publicCard), goodUntil: settings.clock.now() + RETRY_MS };
  }
}

/**
 * A verified card is trusted wherever it points. An unverified card may only use known origins, because credentials would be sent to the
 * new ones.
 */
function callable(card: AgentCard, publicCard: AgentCard, { options, cardUrl }: ExtendedCardParts): readonly AgentInterface[] {
  if (options.verifyCard !== undefined) return card.supportedInterfaces;
  const origins = new Set([cardUrl, ...publicCard.supportedInterfaces.map(({ url }) => url)].map(originOf));
  const known = card.supportedInterfaces.filter(({ url }) => origins.has(originOf(url)));
  if (known.length < card.supportedInterfaces.length) {
    options.settings.logger.warn(
      { method: 'GetExtendedAgentCard' },
      'The extended card names new origins without a signature; they are not used',
    );
  }
  return known.length > 0 ? known : publicCard.supportedInterfaces;
}
