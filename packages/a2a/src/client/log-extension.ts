/** Returns what the card declares about the log extension. */
import { LOG_EXTENSION_URI } from '../protocol/extensions.js';
import type { AgentCard } from '../protocol/types.js';
import type { Peer } from './call.js';

export function logOf(card: AgentCard): Peer['log'] {
  const params = card.capabilities.extensions?.find(({ uri }) => uri === LOG_EXTENSION_URI)?.params;
  const max = params?.maxBodyBytes;
  return {
    lastEventId: params?.lastEventId === true,
    idempotencyKey: params?.idempotencyKey === true,
    maxBodyBytes: typeof max === 'number' && max > 0 ? max : undefined,
  };
}
