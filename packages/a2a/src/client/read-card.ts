import { A2AInvalidCardError, isA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { readAs } from './transports/read-response.js';

/**
 * Reads a card that did not come from the card URL, with the same tolerance as a fetched one. Throws A2AInvalidCardError with its source.
 */
export function readCard(value: unknown, where: string): AgentCard {
  try {
    return readAs('AgentCard', value, 'GetAgentCard');
  } catch (cause) {
    throw new A2AInvalidCardError(`The card at ${where} cannot be used: ${isA2AError(cause) ? cause.message : 'it cannot be read'}`, {
      cause,
    });
  }
}
