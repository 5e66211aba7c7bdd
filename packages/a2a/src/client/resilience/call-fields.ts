/** What log lines and hooks say of a call: ids and names, never content or secrets. */
import type { LogFields } from '../../platform/logger.js';
import type { ClientCall } from '../call.js';

/** The agent's key without what may be secret in a URL. */
export function agentOf({ peer }: ClientCall): string {
  if (!URL.canParse(peer.key)) return peer.key;
  const { protocol, host, pathname } = new URL(peer.key);
  return `${protocol}//${host}${pathname}`;
}

export function taskIdOf({ method, params }: ClientCall): string | undefined {
  if ('message' in params) return params.message?.taskId;
  if ('taskId' in params) return params.taskId;
  return 'id' in params && method !== 'GetAgentCard' ? params.id : undefined;
}

export function fieldsOf(call: ClientCall): LogFields {
  const taskId = taskIdOf(call);
  return { requestId: call.requestId, agent: agentOf(call), method: call.method, ...(taskId !== undefined && { taskId }) };
}
