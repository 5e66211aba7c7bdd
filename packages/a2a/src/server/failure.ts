/** The status message of a failed task: reason and retry hint in its metadata, and a text that is safe to show. */
import { cutText } from '../protocol/cut-text.js';
import { boundChain } from '../protocol/error-chain.js';
import { A2AError, ERRORS, isA2AError, isDownstreamError, wrapDownstreamError } from '../protocol/errors.js';
import { FAILURE_KEY } from '../protocol/failure-key.js';
import type { JsonObject, Message } from '../protocol/types.js';

/** `unpublished`: the executor had published nothing; without an early Task, the failure would have been the error of the call. */
export function failureMetadata(error: A2AError, unpublished = false): JsonObject {
  const { reason, code, retryable, retryAfterMs, metadata } = error;
  const why = metadata?.why;
  const chain = boundChain(error.chain ?? []).map((link) => ({ ...link, downstreamError: { ...link.downstreamError } }));
  return {
    [FAILURE_KEY]: {
      reason,
      code,
      retryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(why !== undefined && { why }),
      ...(unpublished && { unpublished }),
      ...(chain.length > 0 && { chain }),
    },
  };
}

const MAX_TEXT = 10_000;

/** The text is cut, so that the final status of a task is never too large to write. */
export function failureMessage(
  error: A2AError,
  ids: { messageId: string; taskId: string; contextId: string },
  unpublished = false,
): Message {
  const parts = [{ text: cutText(error.message, MAX_TEXT) }];
  return { ...ids, role: 'ROLE_AGENT', parts, metadata: failureMetadata(error, unpublished) };
}

/**
 * The message of an A2AError that an executor throws is sent to the caller. Any other error is a crash, and its message stays on this
 * server. An error of another agent, or of the connection to it, is not presented as this agent's own: the result says that `agent` failed
 * because of the other agent.
 */
export function readThrown(thrown: unknown, agent: string): { readonly error: A2AError; readonly crashed: boolean } {
  if (isA2AError(thrown)) return { error: afterStart(ownStatement(thrown, agent)), crashed: false };
  return { error: new A2AError('INTERNAL_ERROR', 'The agent failed unexpectedly', { cause: thrown }), crashed: true };
}

/**
 * These two errors tell a client that nothing was executed, and it sends the message once more, in another version or to another interface.
 * An executor has begun to execute, so its error is an internal one with the same text and chain.
 */
function afterStart(error: A2AError): A2AError {
  const { reason, code, message, retryable, retryAfterMs, metadata, chain } = error;
  const isRefusal = REFUSALS.some((refusal) => refusal === reason || ERRORS[refusal].rpc === code);
  return isRefusal ? new A2AError('INTERNAL_ERROR', message, { cause: error, retryable, retryAfterMs, metadata, chain }) : error;
}

const REFUSALS = ['METHOD_NOT_FOUND', 'VERSION_NOT_SUPPORTED'] as const;

/** The error in the form that this agent may send. */
export function ownStatement(error: A2AError, agent: string): A2AError {
  if (!isDownstreamError(error)) return error;
  return wrapDownstreamError(error, { currentAgent: agent, downstreamAgent: error.peer ?? 'unknown' });
}
