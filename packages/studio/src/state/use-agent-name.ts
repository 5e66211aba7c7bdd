import { visibleName } from '../content/visible-text.js';
import { useAgent } from './studio.js';

/** The agent's name with control characters made visible; "Agent" until the card is loaded. */
export function useAgentName(): string {
  const agent = useAgent();
  return (agent.state === 'ready' && visibleName(agent.card.name, 120)) || 'Agent';
}
