/** The fields of a call for log lines and hooks: ids and names, never content or secrets. */
import type { LogFields } from '../../platform/logger.js';
import { isObject, type Members } from '../../protocol/is-object.js';
import { isMethodName } from '../../protocol/methods.js';
import type { ClientCall } from '../call.js';

/** Returns the key of the agent without the parts of a URL that may be secret. */
export function agentOf({ peer }: ClientCall): string {
  if (!URL.canParse(peer.key)) return peer.key;
  const { protocol, host, pathname } = new URL(peer.key);
  return `${protocol}//${host}${pathname}`;
}

/** Returns the task id of a call. Methods of extensions may have parameters of any type. */
export function taskIdOf({ method, params }: ClientCall): string | undefined {
  const said = textOf(objectOf(params)?.taskId) ?? textOf(objectOf(objectOf(params)?.message)?.taskId);
  return said ?? (isMethodName(method) ? textOf(objectOf(params)?.id) : undefined);
}

function objectOf(value: unknown): Members | undefined {
  return isObject(value) ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function fieldsOf(call: ClientCall): LogFields {
  const taskId = taskIdOf(call);
  return { requestId: call.requestId, agent: agentOf(call), method: call.method, ...(taskId !== undefined && { taskId }) };
}
