/** Copies and checks the events that an executor publishes: against the schema, and against the ids of its task. */
import { copyAsJson } from '../../protocol/copy-json.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import { parseAs } from '../../protocol/parse.js';
import type { Message, MessageTypes, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../../protocol/types.js';
import type { Publication, TurnRequest } from '../log/entries.js';

export type RawEvent = Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;

export interface EventIds {
  readonly taskId: string;
  readonly contextId: string;
}

/** Throws INVALID_AGENT_RESPONSE when the event is malformed or belongs to another task. */
export function toPublication(event: RawEvent, ids: EventIds): Publication | { readonly kind: 'message'; readonly message: Message } {
  if (typeof event !== 'object' || event === null)
    throw illegal('an event must be a Task, a Message, a status update or an artifact update');
  if ('messageId' in event) return { kind: 'message', message: checkMessage(take('Message', event), ids) };
  if ('artifact' in event) return toArtifact(take('TaskArtifactUpdateEvent', withIds(event, ids)), ids);
  if ('id' in event) return toTask(take('Task', event), ids);
  return toStatus(take('TaskStatusUpdateEvent', withIds(event, ids)), ids);
}

/** Executors may leave the ids out. */
function withIds(event: TaskArtifactUpdateEvent | TaskStatusUpdateEvent, ids: EventIds): object {
  return Object.hasOwn(event, 'taskId') && Object.hasOwn(event, 'contextId') ? event : { ...ids, ...(event as object) };
}

/**
 * Returns a valid copy, because the executor may change its object later. Throws INVALID_AGENT_RESPONSE, also for values that JSON cannot
 * represent.
 */
export function take<K extends keyof MessageTypes>(type: K, value: unknown): MessageTypes[K] {
  return check(type, copy(type, value));
}

function copy(type: keyof MessageTypes, value: unknown): unknown {
  try {
    return copyAsJson(value);
  } catch (cause) {
    throw new A2AError('INVALID_AGENT_RESPONSE', `the executor published an illegal ${type}: it cannot be written as JSON`, { cause });
  }
}

/** Checks without a copy: for objects that no other code references. */
export function check<K extends keyof MessageTypes>(type: K, value: unknown): MessageTypes[K] {
  try {
    return parseAs(type, value);
  } catch (cause) {
    const violations = isA2AError(cause) ? cause.violations : [];
    const what = violations.map(({ field, description }) => `${field} ${description}`).join('; ');
    throw new A2AError('INVALID_AGENT_RESPONSE', `the executor published an illegal ${type}${what && `: ${what}`}`, { cause });
  }
}

function toArtifact(update: TaskArtifactUpdateEvent, ids: EventIds): Publication {
  checkIds(update.taskId, update.contextId, ids);
  const { artifact, append, lastChunk, metadata } = update;
  return { kind: 'artifact', artifact, append, lastChunk, metadata };
}

function toStatus(update: TaskStatusUpdateEvent, ids: EventIds): Publication {
  checkIds(update.taskId, update.contextId, ids);
  const { status, metadata } = update;
  const message = status.message && { ...checkMessage(status.message, ids), ...ids };
  return { kind: 'status', state: status.state, message, metadata };
}

function toTask(task: Task, ids: EventIds): Publication {
  checkIds(task.id, task.contextId ?? ids.contextId, ids);
  const { id, status, artifacts, history: imported, metadata } = task;
  const message = status.message && { ...checkMessage(status.message, ids), ...ids };
  // An imported history may name other tasks; from now on it belongs to this one.
  const history = imported?.map((entry) => ({ ...entry, ...ids }));
  const { state, timestamp } = status;
  return { kind: 'task', task: { id, contextId: ids.contextId, status: { state, message, timestamp }, artifacts, history, metadata } };
}

function checkMessage(message: Message, ids: EventIds): Message {
  checkIds(message.taskId ?? ids.taskId, message.contextId ?? ids.contextId, ids);
  return message;
}

function checkIds(taskId: string, contextId: string, ids: EventIds): void {
  if (taskId !== ids.taskId) throw illegal(`the event has taskId ${taskId}, but this turn belongs to task ${ids.taskId}`);
  if (contextId !== ids.contextId) throw illegal(`the event has contextId ${contextId}, but this turn belongs to context ${ids.contextId}`);
}

const illegal = (text: string): A2AError => new A2AError('INVALID_AGENT_RESPONSE', text);

/**
 * The updates that turn the provisional Task into this one. The status is last, because nothing may follow a final status. The history only
 * grows: a message of the agent enters it as the message of a status, which streams carry; any other message becomes an entry like a
 * caller's message.
 */
export function toUpdates(task: Task, request: TurnRequest): readonly Publication[] {
  const { status, artifacts = [], history = [], metadata } = task;
  const { state, message } = status;
  const known = [request.message.messageId, message?.messageId]; // the status adds its message to the history
  const made = artifacts.map((artifact): Publication => ({ kind: 'artifact', artifact }));
  const said = history.filter(({ messageId }) => !known.includes(messageId)).map((entry) => toHistory(entry, request));
  const isSame = state === 'TASK_STATE_SUBMITTED' && message === undefined && metadata === undefined;
  if (isSame && !said.some(({ kind }) => kind === 'status')) return [...said, ...made];
  return [...said, ...made, { kind: 'status', state, ...(message && { message }), ...(metadata && { metadata }) }];
}

/** The message starts no turn, so the credentials and the configuration of the request are not stored again with each message. */
function toHistory(message: Message, { caller, requestId }: TurnRequest): Publication {
  if (message.role === 'ROLE_AGENT') return { kind: 'status', state: 'TASK_STATE_SUBMITTED', message };
  return { kind: 'input', as: 'history', request: { message, caller: { id: caller.id }, requestId, extensions: [] } };
}
