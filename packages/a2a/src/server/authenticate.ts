/** Calls the agent's `auth` to find the caller of a request, and converts its errors to replies that clients understand. */
import { A2AError, type ErrorReason, isA2AError, isDownstreamError } from '../protocol/errors.js';
import type { WireRequest } from '../wire/http.js';
import { ANONYMOUS, type Caller } from './call.js';
import type { Authenticate, Settings } from './options.js';

/** The errors that `auth` may throw on purpose; every other error means that the verification failed. */
const STATEMENTS: readonly ErrorReason[] = ['AUTH_REQUIRED', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED', 'AGENT_UNAVAILABLE'];

type Report = (error: A2AError) => void;

export async function authenticate({ auth }: Pick<Settings, 'auth'>, request: WireRequest, report: Report): Promise<Caller> {
  if (auth === undefined || auth === 'none') return ANONYMOUS;
  const caller = await verify(auth, request, report);
  if (caller === undefined || caller === null) throw new A2AError('AUTH_REQUIRED', 'credentials are missing or not accepted by this agent');
  if (typeof caller.id !== 'string') throw new TypeError('auth must return a Caller: an object with a string id');
  return caller;
}

/** Token libraries throw for an expired or malformed token. A client refreshes its token after 401, but not after 500. */
async function verify(auth: Authenticate, request: WireRequest, report: Report): Promise<Caller | undefined | null> {
  try {
    return await auth(request);
  } catch (thrown) {
    if (isStatement(thrown)) throw thrown;
    const error = new A2AError('AUTH_REQUIRED', 'the credentials could not be verified', { cause: thrown });
    report(error);
    throw error;
  }
}

/** An error that another agent returned to a call inside `auth` says nothing about this caller. */
function isStatement(thrown: unknown): thrown is A2AError {
  return isA2AError(thrown) && STATEMENTS.includes(thrown.reason) && !isDownstreamError(thrown);
}
