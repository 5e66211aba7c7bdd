/** A raw Task of an executor as updates of the provisional Task that exists already (D43). */
import type { Message, Task } from '../protocol/types.js';
import type { TurnRequest } from './entries.js';
import type { Publication } from './publication.js';

/**
 * What turns a provisional Task into this one. The status is last, because nothing may follow an end. The history only grows: a message of
 * the agent becomes history as the message of a status, which streams carry; any other message becomes an entry like a caller's message.
 */
export function toUpdates(task: Task, request: TurnRequest): readonly Publication[] {
  const { status, artifacts = [], history = [], metadata } = task;
  const { state, message } = status;
  const known = [request.message.messageId, message?.messageId]; // the status brings its message into the history by itself
  const said = history.filter(({ messageId }) => !known.includes(messageId)).map((entry) => toHistory(entry, request));
  const isSame = state === 'TASK_STATE_SUBMITTED' && message === undefined && metadata === undefined;
  if (isSame && !said.some(({ kind }) => kind === 'status')) return [...said, ...artifacts.map(toArtifact)];
  return [...said, ...artifacts.map(toArtifact), { kind: 'status', state, ...(message && { message }), ...(metadata && { metadata }) }];
}

/** The message starts no turn: the credentials and the configuration of the request are not written again with each of them. */
function toHistory(message: Message, { caller, requestId }: TurnRequest): Publication {
  if (message.role === 'ROLE_AGENT') return { kind: 'status', state: 'TASK_STATE_SUBMITTED', message };
  return { kind: 'input', as: 'history', request: { message, caller: { id: caller.id }, requestId, extensions: [] } };
}

const toArtifact = (artifact: NonNullable<Task['artifacts']>[number]): Publication => ({ kind: 'artifact', artifact });
