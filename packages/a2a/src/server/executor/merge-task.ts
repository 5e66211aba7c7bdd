/** Converts a raw Task of an executor to updates of the provisional Task that exists already (D43). */
import type { Message, Task } from '../../protocol/types.js';
import type { TurnRequest } from '../log/entries.js';
import type { Publication } from '../log/publication.js';

/**
 * The updates that turn the provisional Task into this one. The status is last, because nothing may follow a final status. The history only
 * grows: a message of the agent enters it as the message of a status, which streams carry; any other message becomes an entry like a
 * caller's message.
 */
export function toUpdates(task: Task, request: TurnRequest): readonly Publication[] {
  const { status, artifacts = [], history = [], metadata } = task;
  const { state, message } = status;
  const known = [request.message.messageId, message?.messageId]; // the status adds its message to the history
  const said = history.filter(({ messageId }) => !known.includes(messageId)).map((entry) => toHistory(entry, request));
  const isSame = state === 'TASK_STATE_SUBMITTED' && message === undefined && metadata === undefined;
  if (isSame && !said.some(({ kind }) => kind === 'status')) return [...said, ...artifacts.map(toArtifact)];
  return [...said, ...artifacts.map(toArtifact), { kind: 'status', state, ...(message && { message }), ...(metadata && { metadata }) }];
}

/** The message starts no turn, so the credentials and the configuration of the request are not stored again with each message. */
function toHistory(message: Message, { caller, requestId }: TurnRequest): Publication {
  if (message.role === 'ROLE_AGENT') return { kind: 'status', state: 'TASK_STATE_SUBMITTED', message };
  return { kind: 'input', as: 'history', request: { message, caller: { id: caller.id }, requestId, extensions: [] } };
}

const toArtifact = (artifact: NonNullable<Task['artifacts']>[number]): Publication => ({ kind: 'artifact', artifact });
