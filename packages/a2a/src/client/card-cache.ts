/** The card of one agent, fetched once and then as its server's caching headers say. */
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
  /** One GET. `known` is what the peer may answer "still good" to; undefined for the first. */
  fetch(known: Validators | undefined, options: CallOptions): Promise<GetAgentCardResponse>;
  /** Rejects when the card is not to be trusted. */
  verify(card: AgentCard): Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CardCache {
  /** The card, as long as it may be used without asking. */
  fresh(): AgentCard | undefined;
  get(options?: CallOptions): Promise<AgentCard>;
  /** Asks the server, however fresh the card is; rejects when it can not be asked. */
  refresh(options?: CallOptions): Promise<AgentCard>;
}

interface Kept extends Validators {
  readonly card: AgentCard;
  readonly goodUntil: number;
}

const LIFETIME_MS = 5 * 60_000;
// How long an old card serves on after its server could not be asked.
const GRACE_MS = 60_000;

export function createCardCache({ fetch, verify, clock, logger }: CardCacheOptions): CardCache {
  let kept: Kept | undefined;

  const refresh = shareInFlight(async (options: CallOptions): Promise<AgentCard> => {
    // Somebody else may put a newer one there meanwhile: "still good" is said of this one.
    const known = kept;
    const { card = known?.card, maxAgeMs = LIFETIME_MS, ...validators } = await fetch(known, options);
    if (card === undefined) throw new A2AInvalidCardError('The server says that the card is unchanged, and there is none yet');
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
      // A card that was refused by its signature must not go unnoticed, and who left wants no card at all.
      if (old === undefined || error.reason === 'ABORTED' || error.name === 'A2ACardSignatureError') throw error;
      logger.warn(
        { method: 'GetAgentCard', reason: error.reason, cause: error },
        'The card could not be asked for again; the old one is used',
      );
      kept = { ...old, goodUntil: clock.now() + GRACE_MS };
      return old.card;
    }
  };

  return { fresh, get, refresh: (options = {}) => refresh(options) };
}

/** "Still good" need not repeat the validators. */
function withKnown(validators: Validators, known: Validators | undefined): Validators {
  return { etag: validators.etag ?? known?.etag, lastModified: validators.lastModified ?? known?.lastModified };
}
