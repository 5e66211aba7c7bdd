/** Decides what an error says about the health of the called agent. */
import { type A2AError, type ErrorReason, isTerminalError, isTransportError } from '../../protocol/errors.js';

const ABSENT: ReadonlySet<ErrorReason> = new Set<ErrorReason>(['AGENT_UNAVAILABLE', 'TASK_TIMEOUT']);

/** Reasons that only the agent itself sends. */
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

/** True if the error counts against the agent: unreachable, too slow or broken. Errors and aborts of the caller do not count. */
export function isFailureOfAgent(error: A2AError): boolean {
  if (error.name === 'A2ACircuitOpenError') return false;
  // Waiting in our own connection pool says nothing about the agent.
  if (isTransportError(error)) return (error.kind === 'network' || error.kind === 'timeout') && error.phase !== 'pool';
  if (ABSENT.has(error.reason)) return true;
  // An error with a cause was created in this process; a failed task was at least run by the agent.
  if (error.reason === 'INTERNAL_ERROR') return error.cause === undefined && !isTerminalError(error);
  return error.httpStatus === 502;
}

/** True if the error proves that the agent is running: it refused the call, asked a question or failed its task. */
export function isAnswerOfAgent(error: A2AError): boolean {
  if (isTerminalError(error) || error.reason === 'INPUT_REQUIRED') return true;
  return error.peer !== undefined && REFUSALS.has(error.reason);
}
