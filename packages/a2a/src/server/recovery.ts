/** What becomes of a run that did not come to its end: the agent's policy, and the words that its callers read (D10, D18, D20). */
import { A2AError } from '../protocol/errors.js';
import { isInterrupted } from '../protocol/task-state.js';
import type { TaskState } from '../protocol/types.js';
import type { OpenTurn } from './open-turn.js';
import type { Settings } from './options.js';

type Policy = Pick<Settings, 'recovery' | 'maxAttempts'>;

/** A task that brings the process down each time must not do so for ever. One that a deploy ended did nothing of the kind. */
export function mayEnterAgain({ crashes, isHandedOver }: OpenTurn, { recovery, maxAttempts }: Policy): boolean {
  return recovery === 'restart' && (isHandedOver || crashes + 1 < maxAttempts);
}

export function cutOff({ crashes }: OpenTurn, { recovery }: Policy): A2AError {
  const text =
    recovery === 'restart'
      ? `the agent was cut off ${crashes + 1} times while it worked on the task`
      : 'the agent was cut off while it worked on the task';
  return new A2AError('AGENT_UNAVAILABLE', text, { metadata: { why: 'crash' } });
}

export const shuttingDown = (): A2AError =>
  new A2AError('AGENT_UNAVAILABLE', 'the server was shut down', { metadata: { why: 'shutdown' } });

interface Waiting {
  readonly state: TaskState | undefined;
  readonly statusAt: number;
}

/** It waits for its caller since before that time; it may have asked something else since somebody looked. */
export const isExpired = ({ state, statusAt }: Waiting, before: number): boolean =>
  state !== undefined && isInterrupted(state) && statusAt < before;

export const waitedTooLong = (): A2AError =>
  new A2AError('TASK_TIMEOUT', 'the question was not answered in time', { retryable: false, metadata: { why: 'expired' } });
