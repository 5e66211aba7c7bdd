/** The only place in the bindings that converts a thrown value to an error for the client. */
import { A2AError, isA2AError, toA2AError } from '../protocol/errors.js';
import type { Agent, ErrorContext } from '../server/agent.js';
import { ownStatement } from '../server/failure.js';

/**
 * An unknown error becomes "Internal error" for the caller, and an error of another agent becomes a downstream failure. The full error is
 * reported to the agent's owner.
 */
export function toFailure(agent: Agent, thrown: unknown, where: ErrorContext): A2AError {
  const error = ownStatement(toA2AError(thrown), agent.settings.card.name);
  if (!isA2AError(thrown)) agent.report(error, where);
  agent.settings.logger.debug({ ...where, reason: error.reason }, 'answered with an error');
  return error;
}

/** HTTP headers that carry the retry hint and the authentication challenge of the error. No cache may keep an error. */
export function failureHeaders(error: A2AError, challenge: string): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (error.retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
  if (error.httpStatus === 408) headers.connection = 'close'; // the rest of the body would come as slowly
  if (error.reason === 'AUTH_REQUIRED') headers['www-authenticate'] = challenge;
  return headers;
}

export function wrongVerb(allow: readonly string[]): A2AError {
  return new A2AError('METHOD_NOT_FOUND', `This path supports ${allow.join(' and ')} only`, { httpStatus: 405 });
}
