/** The errors of runs whose agent gave no result. */
import { A2AError, type A2AErrorOptions, A2ATaskCanceledError, A2ATaskFailedError, A2ATaskRejectedError } from '../../protocol/errors.js';
import { type Failure, readFailure } from '../../protocol/read-failure.js';
import type { Task } from '../../protocol/types.js';
import { textOf } from '../reply.js';

/** The response contains neither a task nor a message. */
export function noAnswer(peer: string): A2AError {
  return new A2AError('INVALID_AGENT_RESPONSE', 'the agent responded with neither a task nor a message', { peer });
}

/** Returns the error of a task that ended without its result, or undefined if it has one. `peer` is the name of the agent. */
export function terminalError(task: Task, peer: string): A2AError | undefined {
  const { state, message } = task.status;
  const text = textOf(message?.parts ?? []);
  const failure = readFailure(task);
  const options: A2AErrorOptions = { ...(failure && optionsOf(failure)), peer };
  switch (state) {
    case 'TASK_STATE_FAILED':
      return new A2ATaskFailedError(failure?.reason ?? 'INTERNAL_ERROR', task, text || `Task ${task.id} failed`, options);
    case 'TASK_STATE_REJECTED':
      return new A2ATaskRejectedError(failure?.reason ?? 'UNSUPPORTED_OPERATION', task, text || `Task ${task.id} was rejected`, options);
    case 'TASK_STATE_CANCELED':
      return new A2ATaskCanceledError(failure?.reason ?? 'ABORTED', task, text || `Task ${task.id} was canceled`, options);
    default:
      return undefined;
  }
}

function optionsOf({ code, retryable, retryAfterMs, why, chain }: Failure): A2AErrorOptions {
  return { code, retryable, retryAfterMs, chain, ...(why !== undefined && { metadata: { why } }) };
}
