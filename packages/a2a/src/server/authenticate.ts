/** Asks the agent's `auth` for the caller of a request, and turns what it throws into an answer that clients understand. */
import { A2AError, type ErrorReason, isA2AError, isDownstreamError } from '../protocol/errors.js';
import type { WireRequest } from '../wire/http.js';
import { ANONYMOUS, type Caller } from './call.js';
import type { Authenticate, Settings } from './options.js';

/** What `auth` may state on purpose; every other error is a verifier that failed. */
const STATEMENTS: readonly ErrorReason[] = ['AUTH_REQUIRED', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED', 'AGENT_UNAVAILABLE'];

type Report = (error: A2AError) => void;

export async function authenticate({ auth }: Pick<Settings, 'auth'>, request: WireRequest, report: Report): Promise<Caller> {
  if (auth === undefined || auth === 'none') return ANONYMOUS;
  const caller = await verify(auth, request, report);
  if (caller === undefined || caller === null) throw new A2AError('AUTH_REQUIRED', 'no credentials, or none that this agent accepts');
  if (typeof caller.id !== 'string') throw new TypeError('auth has to give a Caller, an object with an id that is a string');
  return caller;
}

/** Libraries throw at an expired or malformed token. A client that gets 500 for it does not refresh its token; one that gets 401 does. */
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

/** What another agent answered to a call inside `auth` states nothing about this caller. */
function isStatement(thrown: unknown): thrown is A2AError {
  return isA2AError(thrown) && STATEMENTS.includes(thrown.reason) && !isDownstreamError(thrown);
}
