import { type A2AError, type ErrorReason, isTransportError } from '../../protocol/errors.js';

const REASONS: ReadonlySet<ErrorReason> = new Set<ErrorReason>(['AGENT_UNAVAILABLE', 'TASK_TIMEOUT']);

/** Whether an error speaks against the agent: not there, not in time, or broken. What its caller did wrong, or took back, does not. */
export function isFailureOfAgent(error: A2AError): boolean {
  if (error.name === 'A2ACircuitOpenError') return false;
  // Waiting for a connection of our own says nothing about the agent.
  if (isTransportError(error)) return (error.kind === 'network' || error.kind === 'timeout') && error.phase !== 'pool';
  if (REASONS.has(error.reason)) return true;
  if (error.reason === 'INTERNAL_ERROR') return error.cause === undefined;
  return error.httpStatus === 502;
}
