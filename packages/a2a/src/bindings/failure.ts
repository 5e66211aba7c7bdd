/** The one place where whatever was thrown on the way becomes an error that may go out. */
import { A2AError, isA2AError, toA2AError } from '../protocol/errors.js';
import type { Agent, ErrorContext } from '../server/agent.js';
import { ownStatement } from '../server/failure.js';

/** Foreign errors become "Internal error" for the caller, those of other agents a failure of theirs; the agent's owner is told the whole of it. */
export function toFailure(agent: Agent, thrown: unknown, where: ErrorContext): A2AError {
  const error = ownStatement(toA2AError(thrown), agent.settings.card.name);
  if (!isA2AError(thrown)) agent.report(error, where);
  agent.settings.logger.debug({ ...where, reason: error.reason }, 'answered with an error');
  return error;
}

/** Headers that say in HTTP what the error says in its body. */
export function failureHeaders(error: A2AError, challenge: string): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
  if (error.reason === 'AUTH_REQUIRED') headers['www-authenticate'] = challenge;
  return headers;
}

export function wrongVerb(allow: readonly string[]): A2AError {
  return new A2AError('METHOD_NOT_FOUND', `This path answers ${allow.join(' and ')} only`, { httpStatus: 405 });
}
