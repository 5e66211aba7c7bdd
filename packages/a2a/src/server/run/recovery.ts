/** Decides about a run that was ended by a crash or a shutdown: the agent's policy, and the error texts for its callers (D10, D18, D20). */
import { A2AError } from '../../protocol/errors.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { TaskState } from '../../protocol/types.js';
import type { Settings } from '../options.js';
import type { OpenTurn } from './open-turn.js';

type Policy = Pick<Settings, 'recovery' | 'maxAttempts'>;

/** Limits the restarts of a task that crashes the process each time. A run that ended by an orderly shutdown does not count as a crash. */
export function mayEnterAgain({ crashes, isHandedOver }: OpenTurn, { recovery, maxAttempts }: Policy): boolean {
  return recovery === 'restart' && (isHandedOver || crashes + 1 < maxAttempts);
}

export function cutOff({ crashes }: OpenTurn, { recovery }: Policy): A2AError {
  const text =
    recovery === 'restart'
      ? `the agent crashed ${crashes + 1} times while it worked on the task`
      : 'the agent crashed while it worked on the task';
  return new A2AError('AGENT_UNAVAILABLE', text, { metadata: { why: 'crash' } });
}

export const shuttingDown = (): A2AError =>
  new A2AError('AGENT_UNAVAILABLE', 'the server was shut down', { metadata: { why: 'shutdown' } });

interface Waiting {
  readonly state: TaskState | undefined;
  readonly statusAt: number;
}

/**
 * The task has waited for its caller since before this time. Checks the current status, because the task may have asked a new question
 * since it was listed.
 */
export const isExpired = ({ state, statusAt }: Waiting, before: number): boolean =>
  state !== undefined && isInterrupted(state) && statusAt < before;

export const waitedTooLong = (): A2AError =>
  new A2AError('TASK_TIMEOUT', 'the question was not answered in time', { retryable: false, metadata: { why: 'expired' } });
