/**
 * Converts failures of an authorization server to A2AErrors. Its responses may contain tokens, so only known codes and fixed texts are
 * passed on.
 */
import type { ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { A2AError, isA2AError } from '../protocol/errors.js';

/** Codes of RFC 6749, 7009 and 8628 that are shown in the message. Others appear only in the cause. */
const CODES: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'access_denied',
  'expired_token',
  'server_error',
  'temporarily_unavailable',
]);

export function toOAuthError(thrown: unknown, server: string): A2AError {
  if (isA2AError(thrown)) return thrown;
  const status = statusOf(thrown);
  const retryable = status !== undefined && (status >= 500 || status === 429);
  return new A2AError('AUTH_REQUIRED', words(thrown, server), { cause: causeOf(thrown), retryable });
}

/** Returns the OAuth error code of a response, such as `authorization_pending`. undefined for any other error. */
export function oauthCode(thrown: unknown): string | undefined {
  if (isRefusal(thrown)) return thrown.error;
  if (isChallenge(thrown)) return thrown.cause[0]?.parameters.error;
  return undefined;
}

// Checks the code instead of the class: the library is loaded lazily, so its classes are not available here.
function isRefusal(thrown: unknown): thrown is ResponseBodyError {
  return codeOf(thrown) === 'OAUTH_RESPONSE_BODY_ERROR';
}

function isChallenge(thrown: unknown): thrown is WWWAuthenticateChallengeError {
  return codeOf(thrown) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE';
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}

function words(thrown: unknown, server: string): string {
  const code = oauthCode(thrown);
  const shown = code !== undefined && CODES.has(code) ? ` (${code})` : '';
  if (isRefusal(thrown) || isChallenge(thrown)) {
    return `The authorization server ${server} refused to issue a token${shown}`;
  }
  return `The authorization server ${server} sent a response that cannot be used`;
}

function statusOf(thrown: unknown): number | undefined {
  if (isRefusal(thrown) || isChallenge(thrown)) return thrown.status;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Response ? cause.status : undefined;
}

/** The errors of the library contain whole responses, including tokens. A log that prints causes must not contain these. */
function causeOf(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return undefined;
  const { name, message } = thrown;
  const code = codeOf(thrown);
  const body = isRefusal(thrown) ? { error: thrown.error, errorDescription: thrown.error_description } : {};
  return Object.assign(new Error(message), { name, code, status: statusOf(thrown), ...body });
}
