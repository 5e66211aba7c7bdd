/** Caches the card of one agent according to the caching headers of its server. */
import type { Logger } from '../platform/logger.js';
import type { Clock } from '../protocol/clock.js';
import { A2AInvalidCardError, toA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import type { GetAgentCardResponse } from './call.js';
import type { CallOptions } from './call-options.js';
import { cardRequestKeys } from './card-request.js';
import { shareInFlight } from './share-in-flight.js';

export type Validators = Pick<GetAgentCardResponse, 'etag' | 'lastModified'>;

export interface CardCacheOptions {
  /** Sends one GET. `known` holds the validators of the cached card; undefined for the first request. */
  fetch(known: Validators | undefined, options: CallOptions): Promise<GetAgentCardResponse>;
  /** Rejects if the card is not trusted. */
  verify(card: AgentCard): Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CardCache {
  /** Returns the card while it may be used without revalidation. */
  fresh(): AgentCard | undefined;
  get(options?: CallOptions): Promise<AgentCard>;
  /** Revalidates the card even if it is fresh. Rejects if the server cannot be reached. */
  refresh(options?: CallOptions): Promise<AgentCard>;
}

interface Kept extends Validators {
  readonly card: AgentCard;
  readonly goodUntil: number;
}

const LIFETIME_MS = 5 * 60_000;
// How long an expired card is used after a failed revalidation.
const GRACE_MS = 60_000;

export function createCardCache({ fetch, verify, clock, logger }: CardCacheOptions): CardCache {
  let kept: Kept | undefined;

  const refresh = shareInFlight(async (options: CallOptions): Promise<AgentCard> => {
    // A concurrent refresh may replace `kept`: an "unchanged" response refers to this card.
    const known = kept;
    const { card = known?.card, maxAgeMs = LIFETIME_MS, ...validators } = await fetch(known, options);
    if (card === undefined) throw new A2AInvalidCardError('The server says that the card is unchanged, but the client has no card yet');
    if (card !== known?.card) await verify(card);
    kept = { card, goodUntil: clock.now() + maxAgeMs, ...withKnown(validators, card === known?.card ? known : undefined) };
    return card;
  }, cardRequestKeys());

  const fresh = (): AgentCard | undefined => (kept !== undefined && clock.now() < kept.goodUntil ? kept.card : undefined);

  const get = async (options: CallOptions = {}): Promise<AgentCard> => {
    const good = fresh();
    if (good !== undefined) return good;
    const old = kept;
    try {
      return await refresh(options);
    } catch (thrown) {
      const error = toA2AError(thrown);
      // A card with a bad signature must be reported, and a caller that aborted wants no card.
      if (old === undefined || error.reason === 'ABORTED' || error.name === 'A2ACardSignatureError') throw error;
      logger.warn(
        { method: 'GetAgentCard', reason: error.reason, cause: error },
        'The card could not be fetched again; the old one is used',
      );
      kept = { ...old, goodUntil: clock.now() + GRACE_MS };
      return old.card;
    }
  };

  return { fresh, get, refresh: (options = {}) => refresh(options) };
}

/** An "unchanged" response need not repeat the validators. */
function withKnown(validators: Validators, known: Validators | undefined): Validators {
  return { etag: validators.etag ?? known?.etag, lastModified: validators.lastModified ?? known?.lastModified };
}
