/**
 * The words of the wire (`TASK_STATE_WORKING`, `ROLE_AGENT`) against those of the drop-in (`working`, `agent`): the only place that knows
 * both. Only states and roles are touched; parts, artifacts, metadata and data are handed on as the very objects they are, so that a
 * streamed state costs the same however long its task is.
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

// Maps, because every object also knows the word `constructor`. The keys are the tables' own.
const STATE_WORDS = new Map(Object.entries(STATES));
const ROLE_WORDS = new Map(Object.entries(ROLES));
const WIRE_STATES = new Map(Object.entries(STATES).map(([wire, own]) => [own, wire as TaskState]));
const WIRE_ROLES = new Map(Object.entries(ROLES).map(([wire, own]) => [own, wire as Role]));

/** `working` for `TASK_STATE_WORKING`; a state that nobody knows is unspecified. */
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

/** A message of the wire in the words of the drop-in. */
export function toA2AMessage(message: Message): A2AMessage {
  return { ...loose<Omit<A2AMessage, 'role'>>(message), role: ROLE_WORDS.get(message.role) ?? 'unspecified' };
}

/** A message of the drop-in as it goes over the wire. */
export function fromA2AMessage(message: A2AMessage): Message {
  // JSON leaves out what is undefined, and the request is checked as a whole before it is sent.
  return { ...message, role: fromA2ARole(message.role) } as Message;
}

function toA2AStatus(status: TaskStatus): A2ATaskStatus {
  const { message, state } = status;
  if (message === undefined) return { ...loose<A2ATaskStatus>(status), state: toA2AState(state) };
  return { ...loose<A2ATaskStatus>(status), state: toA2AState(state), message: toA2AMessage(message) };
}

/** Artifacts hold no words that differ. */
export function toA2AArtifact(artifact: Artifact): A2AArtifact {
  return loose<A2AArtifact>(artifact);
}

// While a task streams, its history stays the same list: it is gone through once, and whoever compares sees that it did not change.
const histories = new WeakMap<readonly Message[], A2AMessage[]>();
const tasks = new WeakMap<Task, A2ATask>();

/** A task in the words of the drop-in; the same task gives the same object. */
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

/** One event of a stream; undefined for one that holds nothing. */
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

/** The filters of a list as they go over the wire. */
export function fromA2AListRequest({ status, ...rest }: A2AListTasksRequest): ListTasksRequest {
  // As with messages: what is undefined is not sent.
  return { ...rest, ...(status !== undefined && { status: fromA2AState(status) }) } as ListTasksRequest;
}

export function toA2AListResponse(page: ListTasksResponse): A2AListTasksResponse {
  return { ...page, tasks: page.tasks.map(toA2ATask) };
}

/** Cards hold no words that differ. */
export function toA2ACard(card: AgentCard): A2AAgentCard {
  return loose<A2AAgentCard>(card);
}

/** The shapes of the drop-in are the wire's without `readonly`, except for the words that are replaced by whoever calls this. */
function loose<T>(value: unknown): T {
  return value as T;
}
