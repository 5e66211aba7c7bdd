/**
 * A task that FAILED before its agent published anything. Agents that create the Task early report a failed call this way. Without the Task
 * it would have been an error of the call, so it is retried like one.
 */
import { type A2AError, isA2AError, isTerminalError } from '../protocol/errors.js';
import { readFailure } from '../protocol/read-failure.js';
import type { Task } from '../protocol/types.js';
import { terminalError } from './run/outcome.js';

export interface UnpublishedFailure extends A2AError {
  readonly task: Task;
}

/** Returns the error of such a task, or undefined for any other task. Artifacts or agent messages mean that work was done. */
export function unpublishedFailure(task: Task | undefined, peer: string): UnpublishedFailure | undefined {
  if (task?.status.state !== 'TASK_STATE_FAILED' || readFailure(task)?.unpublished !== true) return undefined;
  const { artifacts = [], history = [] } = task;
  if (artifacts.length > 0 || history.some(({ role }) => role === 'ROLE_AGENT')) return undefined;
  const error = terminalError(task, peer);
  return isUnpublished(error) ? error : undefined;
}

/** True if the error belongs to such a task. */
export function isUnpublished(error: unknown): error is UnpublishedFailure {
  return isA2AError(error) && isTerminalError(error) && readFailure(error.task)?.unpublished === true;
}

const PLAIN_ID = /^[\x21-\x7e]{1,200}$/;

/**
 * Returns the idempotency key of the send that follows such a task. The previous key would return the failed task again. Every client that
 * repeats the send after that task uses the same key.
 */
export function keyAfter({ id }: Pick<Task, 'id'>): string {
  return `after:${PLAIN_ID.test(id) ? id : encodeURIComponent(id).slice(0, 200)}`;
}
