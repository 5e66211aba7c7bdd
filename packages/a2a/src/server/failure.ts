/** How a failed task says why: reason and retry hint in the metadata of its status message, safe text for people. */
import { cutText } from '../protocol/cut-text.js';
import { boundChain } from '../protocol/error-chain.js';
import { A2AError, isA2AError, isDownstreamError, wrapDownstreamError } from '../protocol/errors.js';
import { FAILURE_KEY } from '../protocol/failure-key.js';
import type { JsonObject, Message } from '../protocol/types.js';

/** `unpublished`: the executor had published nothing, so that the failure would have been the error of the call without an early Task. */
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

/** Cut to what people read, so that the end of a task is never too large to be written. */
export function failureMessage(
  error: A2AError,
  ids: { messageId: string; taskId: string; contextId: string },
  unpublished = false,
): Message {
  const parts = [{ text: cutText(error.message, MAX_TEXT) }];
  return { ...ids, role: 'ROLE_AGENT', parts, metadata: failureMetadata(error, unpublished) };
}

/**
 * An A2AError thrown by an executor is a statement and its words are safe; anything else is a crash, and its words stay here. What another
 * agent said, or the way to it, is not passed off as this agent's own: `agent` then says that the other one failed.
 */
export function readThrown(thrown: unknown, agent: string): { readonly error: A2AError; readonly crashed: boolean } {
  if (isA2AError(thrown)) return { error: ownStatement(thrown, agent), crashed: false };
  return { error: new A2AError('INTERNAL_ERROR', 'The agent failed unexpectedly', { cause: thrown }), crashed: true };
}

/** The error as this agent may say it. */
export function ownStatement(error: A2AError, agent: string): A2AError {
  if (!isDownstreamError(error)) return error;
  return wrapDownstreamError(error, { currentAgent: agent, downstreamAgent: error.peer ?? 'unknown' });
}
