/** Maps task states to the status of an answer, and errors to plain data and back. */
import {
  A2AError,
  type A2AErrorOptions,
  A2ATaskFailedError,
  A2ATaskRejectedError,
  ERRORS,
  type ErrorReason,
} from '../../protocol/errors.js';
import type { Task, TaskState } from '../../protocol/types.js';
import { promptOf } from '../run/ask.js';
import type { PlainError, PlainStatus } from './conversation.js';
import type { MessageStatus } from './message.js';

export const RUNNING: PlainStatus & MessageStatus = Object.freeze({ type: 'running' });
export const COMPLETE: PlainStatus & MessageStatus = Object.freeze({ type: 'complete', reason: 'stop' });
export const CANCELED: PlainStatus & MessageStatus = Object.freeze({ type: 'incomplete', reason: 'cancelled' });

type StateMeaning = 'running' | 'complete' | 'canceled' | 'error' | 'input' | 'auth';

const MEANINGS: Readonly<Record<TaskState, StateMeaning>> = {
  TASK_STATE_UNSPECIFIED: 'running',
  TASK_STATE_SUBMITTED: 'running',
  TASK_STATE_WORKING: 'running',
  TASK_STATE_COMPLETED: 'complete',
  TASK_STATE_FAILED: 'error',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input',
  TASK_STATE_REJECTED: 'error',
  TASK_STATE_AUTH_REQUIRED: 'auth',
};

/** The status of an answer whose task is in this state. `error` is called for a failed or rejected task. */
export function statusOf({ state, message }: Task['status'], error: () => A2AError): PlainStatus {
  const meaning = MEANINGS[state] ?? 'running';
  switch (meaning) {
    case 'running':
      return RUNNING;
    case 'complete':
      return COMPLETE;
    case 'canceled':
      return CANCELED;
    case 'error':
      return failed(error());
    default:
      return { type: 'requires-action', reason: 'interrupt', want: meaning, prompt: promptOf({ state, ...(message && { message }) }) };
  }
}

export function failed(error: A2AError): PlainStatus {
  return { type: 'incomplete', reason: 'error', error: toPlainError(error) };
}

// Maps plain data back to the original error, so that an error of this page keeps its identity.
const originals = new WeakMap<PlainError, A2AError>();

/** Converts an error to plain data, for the storage and for other tabs. */
export function toPlainError(error: A2AError): PlainError {
  const { name, message, reason, retryable, httpStatus } = error;
  const plain: PlainError = { name, message, reason, retryable, httpStatus };
  originals.set(plain, error);
  return plain;
}

/** Returns the original error, or a new equal error if the data comes from the storage or another tab. */
export function fromPlainError(plain: PlainError, task?: Task): A2AError {
  const known = originals.get(plain);
  if (known !== undefined) return known;
  const error = restore(plain, task);
  originals.set(plain, error);
  return error;
}

function restore({ name, message, reason: said, retryable, httpStatus }: PlainError, task: Task | undefined): A2AError {
  // Another version of the library may have saved it.
  const reason: ErrorReason = Object.hasOwn(ERRORS, said) ? said : 'INTERNAL_ERROR';
  const options: A2AErrorOptions = { retryable, httpStatus };
  if (task !== undefined && name === 'A2ATaskFailedError') return new A2ATaskFailedError(reason, task, message, options);
  if (task !== undefined && name === 'A2ATaskRejectedError') return new A2ATaskRejectedError(reason, task, message, options);
  return new A2AError(reason, message, options);
}

/** The status as readers see it. */
export function toStatus(plain: PlainStatus, task: () => Task | undefined): MessageStatus {
  if (plain.type !== 'incomplete' || plain.reason !== 'error') return plain;
  return { type: 'incomplete', reason: 'error', error: fromPlainError(plain.error, task()) };
}

export function toPlainStatus(status: MessageStatus): PlainStatus {
  return status.type === 'incomplete' && status.reason === 'error' ? failed(status.error) : status;
}
