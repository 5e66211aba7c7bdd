/** What an error says about the agent that was called. */
import { type A2AError, type ErrorReason, isTerminalError, isTransportError } from '../../protocol/errors.js';

const ABSENT: ReadonlySet<ErrorReason> = new Set<ErrorReason>(['AGENT_UNAVAILABLE', 'TASK_TIMEOUT']);

/** What nobody but the agent says. */
const REFUSALS: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'TASK_NOT_FOUND',
  'TASK_NOT_CANCELABLE',
  'AUTH_REQUIRED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMITED',
  'CONTENT_TOO_LARGE',
  'SKILL_NOT_FOUND',
  'IDEMPOTENCY_CONFLICT',
]);

/** Whether an error speaks against the agent: not there, not in time, or broken. What its caller did wrong, or took back, does not. */
export function isFailureOfAgent(error: A2AError): boolean {
  if (error.name === 'A2ACircuitOpenError') return false;
  // Waiting for a connection of our own says nothing about the agent.
  if (isTransportError(error)) return (error.kind === 'network' || error.kind === 'timeout') && error.phase !== 'pool';
  if (ABSENT.has(error.reason)) return true;
  // One with a cause was made here; a task that failed was at least run.
  if (error.reason === 'INTERNAL_ERROR') return error.cause === undefined && !isTerminalError(error);
  return error.httpStatus === 502;
}

/** Whether the agent was there to say it, if only to refuse, to ask, or to fail at its task. */
export function isAnswerOfAgent(error: A2AError): boolean {
  if (isTerminalError(error) || error.reason === 'INPUT_REQUIRED') return true;
  return error.peer !== undefined && REFUSALS.has(error.reason);
}
