/**
 * Translates between the names of the wire (`TASK_STATE_WORKING`, `ROLE_AGENT`) and those of react-a2a (`working`, `agent`). No other file
 * knows both. Only states and roles change; parts, artifacts, metadata and data are the same objects, so the cost of a streamed state does
 * not depend on the length of its task.
 */
import type {
  AgentCard,
  Artifact,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  Role,
  StreamResponse,
  Task,
  TaskState,
  TaskStatus,
} from '../protocol/types.js';
import type { A2AAgentCard } from './card-types.js';
import type {
  A2AArtifact,
  A2AListTasksRequest,
  A2AListTasksResponse,
  A2AMessage,
  A2ARole,
  A2AStreamEvent,
  A2ATask,
  A2ATaskState,
  A2ATaskStatus,
} from './types.js';

const STATES: Readonly<Record<TaskState, A2ATaskState>> = {
  TASK_STATE_UNSPECIFIED: 'unspecified',
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input_required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth_required',
};

const ROLES: Readonly<Record<Role, A2ARole>> = { ROLE_UNSPECIFIED: 'unspecified', ROLE_USER: 'user', ROLE_AGENT: 'agent' };

// Maps instead of objects: an object would also find `constructor`. The casts are safe because the keys come from the tables.
const STATE_WORDS = new Map(Object.entries(STATES));
const ROLE_WORDS = new Map(Object.entries(ROLES));
const WIRE_STATES = new Map(Object.entries(STATES).map(([wire, own]) => [own, wire as TaskState]));
const WIRE_ROLES = new Map(Object.entries(ROLES).map(([wire, own]) => [own, wire as Role]));

/** `working` for `TASK_STATE_WORKING`; 'unspecified' for an unknown state. */
export function toA2AState(state: TaskState): A2ATaskState {
  return STATE_WORDS.get(state) ?? 'unspecified';
}

/** `TASK_STATE_WORKING` for `working`. */
export function fromA2AState(state: A2ATaskState): TaskState {
  return WIRE_STATES.get(state) ?? 'TASK_STATE_UNSPECIFIED';
}

/** `ROLE_USER` for `user`. */
export function fromA2ARole(role: A2ARole): Role {
  return WIRE_ROLES.get(role) ?? 'ROLE_UNSPECIFIED';
}

/** Translates a message from the wire. */
export function toA2AMessage(message: Message): A2AMessage {
  return { ...loose<Omit<A2AMessage, 'role'>>(message), role: ROLE_WORDS.get(message.role) ?? 'unspecified' };
}

/** Translates a message for the wire. */
export function fromA2AMessage(message: A2AMessage): Message {
  // JSON omits undefined fields, and the whole request is checked before it is sent.
  return { ...message, role: fromA2ARole(message.role) } as Message;
}

function toA2AStatus(status: TaskStatus): A2ATaskStatus {
  const { message, state } = status;
  if (message === undefined) return { ...loose<A2ATaskStatus>(status), state: toA2AState(state) };
  return { ...loose<A2ATaskStatus>(status), state: toA2AState(state), message: toA2AMessage(message) };
}

/** Artifacts need no translation. */
export function toA2AArtifact(artifact: Artifact): A2AArtifact {
  return loose<A2AArtifact>(artifact);
}

// A streaming task keeps its history list, so each history is translated once and keeps its identity.
const histories = new WeakMap<readonly Message[], A2AMessage[]>();
const tasks = new WeakMap<Task, A2ATask>();

/** Translates a task. The same task gives the same object. */
export function toA2ATask(task: Task): A2ATask {
  const known = tasks.get(task);
  if (known !== undefined) return known;
  const result: A2ATask = { ...loose<A2ATask>(task), status: toA2AStatus(task.status) };
  if (task.history !== undefined) result.history = toHistory(task.history);
  tasks.set(task, result);
  return result;
}

function toHistory(history: readonly Message[]): A2AMessage[] {
  const known = histories.get(history);
  if (known !== undefined) return known;
  const result = history.map(toA2AMessage);
  histories.set(history, result);
  return result;
}

/** Translates one event of a stream; undefined for an empty event. */
export function toA2AStreamEvent({ task, message, statusUpdate, artifactUpdate }: StreamResponse): A2AStreamEvent | undefined {
  if (artifactUpdate !== undefined) return { type: 'artifactUpdate', event: loose(artifactUpdate) };
  if (statusUpdate !== undefined) {
    return {
      type: 'statusUpdate',
      event: { ...loose<Omit<typeof statusUpdate, 'status'>>(statusUpdate), status: toA2AStatus(statusUpdate.status) },
    };
  }
  if (task !== undefined) return { type: 'task', task: toA2ATask(task) };
  return message === undefined ? undefined : { type: 'message', message: toA2AMessage(message) };
}

/** Translates the filters of a list request. */
export function fromA2AListRequest({ status, ...rest }: A2AListTasksRequest): ListTasksRequest {
  // JSON omits undefined fields.
  return { ...rest, ...(status !== undefined && { status: fromA2AState(status) }) } as ListTasksRequest;
}

export function toA2AListResponse(page: ListTasksResponse): A2AListTasksResponse {
  return { ...page, tasks: page.tasks.map(toA2ATask) };
}

/** Cards need no translation. */
export function toA2ACard(card: AgentCard): A2AAgentCard {
  return loose<A2AAgentCard>(card);
}

/** Only casts: the types equal those of the wire without `readonly`. The caller replaces the names that differ. */
function loose<T>(value: unknown): T {
  return value as T;
}
