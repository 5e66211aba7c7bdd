/** The fuller card that an agent shows to those it knows, in place of the public one. */
import { originOf } from '../platform/origin.js';
import { toA2AError } from '../protocol/errors.js';
import type { AgentCard, AgentInterface } from '../protocol/types.js';
import type { CallOptions } from './call-options.js';
import type { ResolvedOptions } from './resolve-options.js';

/** The public card, or the extended one that took its place. */
export interface CardInUse {
  readonly publicCard: AgentCard;
  readonly card: AgentCard;
  /** Those that may be called: fewer than the card's own where an extended card names strange addresses. */
  readonly interfaces: readonly AgentInterface[];
  /** When to ask again for an extended card that could not be had. */
  readonly goodUntil: number;
}

export interface ExtendedCardParts {
  readonly options: ResolvedOptions;
  readonly cardUrl: string;
  /** Gives the extended card, read and verified. */
  fetch(publicCard: AgentCard, callOptions: CallOptions): Promise<AgentCard>;
}

// How long the public card serves when the extended one could not be had.
const RETRY_MS = 60_000;

/** The public card itself. */
export function asIs(publicCard: AgentCard): CardInUse {
  return { publicCard, card: publicCard, interfaces: publicCard.supportedInterfaces, goodUntil: Number.POSITIVE_INFINITY };
}

/** Asks for the extended card where there is one and somebody to show it to. Unless it was demanded, its failure leaves the public one in use. */
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
    settings.logger.warn(fields, 'The extended card could not be had; the public one is used');
    return { ...asIs(publicCard), goodUntil: settings.clock.now() + RETRY_MS };
  }
}

/** A verified card is trusted wherever it points. Of others only addresses that were known before: credentials would go to the new ones. */
function callable(card: AgentCard, publicCard: AgentCard, { options, cardUrl }: ExtendedCardParts): readonly AgentInterface[] {
  if (options.verifyCard !== undefined) return card.supportedInterfaces;
  const origins = new Set([cardUrl, ...publicCard.supportedInterfaces.map(({ url }) => url)].map(originOf));
  const known = card.supportedInterfaces.filter(({ url }) => origins.has(originOf(url)));
  if (known.length < card.supportedInterfaces.length) {
    options.settings.logger.warn(
      { method: 'GetExtendedAgentCard' },
      'The extended card names new addresses without a signature; they are not used',
    );
  }
  return known.length > 0 ? known : publicCard.supportedInterfaces;
}
