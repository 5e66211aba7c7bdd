/** Decisions and error texts for runs that their executor does not end (D10, D18, D20). */
import { A2AError } from '../../protocol/errors.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { TaskState } from '../../protocol/types.js';
import { failureMessage } from '../failure.js';
import type { TaskWriter } from '../log/writer.js';
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

interface Failing {
  readonly writer: TaskWriter;
  readonly settings: Settings;
}

/** Sets the task to FAILED. Rejects also when the agent's `ids` throw. `unpublished`: the executor had published nothing. */
export async function failTask({ writer, settings }: Failing, error: A2AError, unpublished = false): Promise<void> {
  const ids = { messageId: settings.ids.messageId(), taskId: writer.ref.id, contextId: writer.contextId };
  await writer.end({ state: 'TASK_STATE_FAILED', message: failureMessage(error, ids, unpublished) });
}

export const turnIsOver = (): A2AError => new A2AError('INVALID_AGENT_RESPONSE', 'execute has returned; no more questions can be asked');

export const noAnswer = (): A2AError => new A2AError('INVALID_AGENT_RESPONSE', 'the agent returned without an answer');

/** The details of a refused event are for the developer; callers only learn that the agent failed and why in general. */
export function forCallers(fault: A2AError): A2AError {
  const text =
    fault.reason === 'CONTENT_TOO_LARGE'
      ? 'the answer of the agent is too large'
      : 'the agent published an event that the protocol does not allow';
  return new A2AError(fault.reason, text, { cause: fault });
}

export const parked = (): A2AError =>
  new A2AError('AGENT_UNAVAILABLE', 'run parked while waiting for input; `execute` restarts when the reply arrives');
