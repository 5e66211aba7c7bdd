/** Checks that every publicly reachable host makes before it serves an agent. */
import { A2AError } from '../protocol/errors.js';
import type { Agent } from '../server/agent.js';

/** The usual mistake is to pass the options instead of the agent. */
export function checkAgent(agent: Agent): void {
  if (typeof agent?.handle === 'function') return;
  throw new A2AError('INVALID_PARAMS', 'Expected an agent made by createAgent()');
}

/** `auth` must be set, even if only to 'none', so that no agent is public by accident. */
export function requireAuth(agent: Agent, host: string): void {
  checkAgent(agent);
  if (agent.settings.auth !== undefined) return;
  const choice = "createAgent({ auth: (request) => caller }), or auth: 'none' to accept every caller";
  throw new A2AError('INVALID_PARAMS', `${host} may get calls from other machines, and the agent has no auth; use ${choice}`);
}
