/** The errors of tasks that stopped without a result. */
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
import type { JsonObject, JsonValue, Task } from '../../protocol/types.js';
import { textOf } from '../reply.js';

/** The error of a task that stopped without its result; undefined when it has one. */
export function terminalError(task: Task): A2AError | undefined {
  const { state, message } = task.status;
  const text = textOf(message?.parts ?? []);
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
