/** What came of a task: a Reply, or an error that has the whole task on it. */
import {
  type A2AError,
  type A2AErrorOptions,
  A2ATaskCanceledError,
  A2ATaskFailedError,
  A2ATaskRejectedError,
  ERRORS,
  type ErrorReason,
} from '../../protocol/errors.js';
import { FAILURE_KEY } from '../../protocol/failure-key.js';
import type { JsonObject, JsonValue, Task, TaskState } from '../../protocol/types.js';
import { textOfParts } from './answer.js';
import type { FinishReason, Reply } from './update.js';

const FINISH_REASONS: Readonly<Record<TaskState, FinishReason>> = {
  TASK_STATE_UNSPECIFIED: 'working',
  TASK_STATE_SUBMITTED: 'working',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input_required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth_required',
};

export function finishReasonOf(state: TaskState): FinishReason {
  return FINISH_REASONS[state];
}

export function taskReply(task: Task, text: string, contextId: string | undefined): Reply {
  const { state } = task.status;
  const { id: taskId, artifacts = [] } = task;
  return {
    kind: 'task',
    task,
    taskId,
    state,
    text,
    artifacts,
    contextId: task.contextId ?? contextId,
    finishReason: finishReasonOf(state),
  };
}

/** The error of a task that stopped without its result; undefined when it has one. */
export function terminalError(task: Task): A2AError | undefined {
  const { state, message } = task.status;
  const text = textOfParts(message?.parts ?? []);
  const said = failureOf(message?.metadata?.[FAILURE_KEY]);
  switch (state) {
    case 'TASK_STATE_FAILED':
      return new A2ATaskFailedError(said.reason ?? 'INTERNAL_ERROR', task, text || `Task ${task.id} failed`, said.options);
    case 'TASK_STATE_REJECTED':
      return new A2ATaskRejectedError(said.reason ?? 'UNSUPPORTED_OPERATION', task, text || `Task ${task.id} was rejected`, said.options);
    case 'TASK_STATE_CANCELED':
      return new A2ATaskCanceledError(said.reason ?? 'ABORTED', task, text || `Task ${task.id} was canceled`, said.options);
    default:
      return undefined;
  }
}

interface Failure {
  readonly reason?: ErrorReason;
  readonly options: A2AErrorOptions;
}

/** What the agent says of why; anything that can not be read is not said. */
function failureOf(said: JsonValue | undefined): Failure {
  if (!isObject(said)) return { options: {} };
  const { reason, retryable, retryAfterMs, why } = said;
  const options: A2AErrorOptions = {
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 && { retryAfterMs }),
    ...(typeof why === 'string' && { metadata: { why } }),
  };
  return isReason(reason) ? { reason, options } : { options };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isReason(value: JsonValue | undefined): value is ErrorReason {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}
