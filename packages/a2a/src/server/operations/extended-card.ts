import { A2AError } from '../../protocol/errors.js';
import { type Operation, value } from './runtime.js';

/** The card for callers that are known; strangers are sent to authenticate, whatever the public card says. */
export const getExtendedAgentCard: Operation<'GetExtendedAgentCard'> = async ({ settings }, { caller }) => {
  if (caller.id === '') throw new A2AError('AUTH_REQUIRED', 'the extended card is for authenticated callers');
  const card = await settings.extendedCard?.(caller);
  if (card === undefined) throw new A2AError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'this agent has no extended card');
  return value(JSON.stringify(card));
};
