/** What every host that strangers may reach asks of an agent before it serves it. */
import { A2AError } from '../protocol/errors.js';
import type { Agent } from '../server/agent.js';

/** The usual slip is to hand over the options instead of the agent that is made of them. */
export function checkAgent(agent: Agent): void {
  if (typeof agent?.handle === 'function') return;
  throw new A2AError('INVALID_PARAMS', 'a host serves what createAgent gives, got something else');
}

/** Nobody serves the world by accident: who may call has to be said, be it "everybody". */
export function requireAuth(agent: Agent, host: string): void {
  checkAgent(agent);
  if (agent.settings.auth !== undefined) return;
  const choice = "createAgent({ auth: (request) => caller }), or auth: 'none' to let everybody in";
  throw new A2AError('INVALID_PARAMS', `${host} can be reached by others: say who may call with ${choice}`);
}
