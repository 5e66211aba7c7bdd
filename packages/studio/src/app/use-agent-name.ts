import { visibleName } from '../content/visible-text.js';
import { useAgent } from './agent-store.js';

/** What the agent calls itself, made harmless; "Agent" until it is known. */
export function useAgentName(): string {
  const agent = useAgent();
  return (agent.state === 'ready' && visibleName(agent.card.name, 120)) || 'Agent';
}
