/**
 * A task that FAILED before its agent published anything. Agents that create the Task early tell a failed call this way; without the Task
 * it would have been the error of the call, and it is repeated like one.
 */
import { type A2AError, isA2AError, isTerminalError } from '../protocol/errors.js';
import { readFailure } from '../protocol/read-failure.js';
import type { Task } from '../protocol/types.js';
import { terminalError } from './run/outcome.js';

export interface UnpublishedFailure extends A2AError {
  readonly task: Task;
}

/** The error of such a task; undefined for any other. A log that holds anything else is work that was done. */
export function unpublishedFailure(task: Task | undefined, peer: string): UnpublishedFailure | undefined {
  if (task?.status.state !== 'TASK_STATE_FAILED' || readFailure(task)?.unpublished !== true) return undefined;
  const { artifacts = [], history = [] } = task;
  if (artifacts.length > 0 || history.some(({ role }) => role === 'ROLE_AGENT')) return undefined;
  const error = terminalError(task, peer);
  return isUnpublished(error) ? error : undefined;
}

/** Whether an error is that of such a task. */
export function isUnpublished(error: unknown): error is UnpublishedFailure {
  return isA2AError(error) && isTerminalError(error) && readFailure(error.task)?.unpublished === true;
}

const PLAIN_ID = /^[\x21-\x7e]{1,200}$/;

/**
 * The key of the send that follows such a task. The key before leads to the failed task again; this one is the same for every client that
 * repeats the send after that task.
 */
export function keyAfter({ id }: Pick<Task, 'id'>): string {
  return `after:${PLAIN_ID.test(id) ? id : encodeURIComponent(id).slice(0, 200)}`;
}
