import { A2AError } from '../../protocol/errors.js';
import { type Operation, value } from './runtime.js';

/** The card for authenticated callers. Anonymous callers get AUTH_REQUIRED, whatever the public card declares. */
export const getExtendedAgentCard: Operation<'GetExtendedAgentCard'> = async ({ settings }, { caller }) => {
  if (caller.id === '') throw new A2AError('AUTH_REQUIRED', 'the extended card requires authentication');
  const card = await settings.extendedCard?.(caller);
  if (card === undefined) throw new A2AError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'this agent has no extended card');
  return value(JSON.stringify(card));
};
