import { A2AInvalidCardError, isA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { readAs } from './transports/read-response.js';

/** A card from somebody's hands, read as forgivingly as one from the wire. Throws A2AInvalidCardError that says where it came from. */
export function readCard(value: unknown, where: string): AgentCard {
  try {
    return readAs('AgentCard', value, 'GetAgentCard');
  } catch (cause) {
    throw new A2AInvalidCardError(`The card at ${where} can not be used: ${isA2AError(cause) ? cause.message : 'it can not be read'}`, {
      cause,
    });
  }
}
