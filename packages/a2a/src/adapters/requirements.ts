/** Checks that every publicly reachable host makes before it serves an agent. */
import { A2AError } from '../protocol/errors.js';
import type { Agent } from '../server/agent.js';

/** The usual mistake is to pass the options instead of the agent. */
export function checkAgent(agent: Agent): void {
  if (typeof agent?.handle === 'function') return;
  throw new A2AError('INVALID_PARAMS', 'Expected an agent made by createAgent()');
}

/** So that no agent is public by accident: `auth` must be set, even if it is 'none'. */
export function requireAuth(agent: Agent, host: string): void {
  checkAgent(agent);
  if (agent.settings.auth !== undefined) return;
  const choice = "createAgent({ auth: (request) => caller }), or auth: 'none' to accept every caller";
  throw new A2AError('INVALID_PARAMS', `${host} can be reached from outside; set who may call: ${choice}`);
}
