/**
 * The path of a call: authentication, interceptors, checks, operation. The only place in the runtime that converts a thrown value to an
 * A2AError.
 */
import type { ErrorContext } from '../platform/logger.js';
import { A2AError, type ErrorReason, isA2AError, isDownstreamError, toA2AError } from '../protocol/errors.js';
import type { Message } from '../protocol/types.js';
import type { WireRequest } from '../wire/http.js';
import { ANONYMOUS, type Call, type Caller, type Handle, type Reply } from './call.js';
import { checkCapability, checkExtensions } from './operations/checks.js';
import { OPERATIONS } from './operations/operations.js';
import type { Operation, Runtime } from './operations/runtime.js';
import type { Authenticate, Settings } from './options.js';

export interface Pipeline {
  /** Finds the caller of a request from its headers. */
  authenticate(request: WireRequest, where?: ErrorContext): Promise<Caller>;
  /** Runs one call of this caller. */
  readonly handle: Handle;
}

type Report = (error: A2AError, where: ErrorContext) => void;

export function createPipeline(runtime: Runtime, report: Report): Pipeline {
  const { auth, interceptors } = runtime.settings;
  const operate: Handle = (call) => runOperation(runtime, call);
  const handle = interceptors.reduceRight((next, wrap) => wrap(next), operate);
  return {
    authenticate: (request, where = {}) => findCaller(auth, request, (error) => report(error, where)),
    async handle(call) {
      try {
        return await handle(call);
      } catch (thrown) {
        const error = toA2AError(thrown);
        if (error !== thrown) report(error, whereOf(call));
        throw error;
      }
    },
  };
}

/** Checks extensions, then the capability, then runs the operation (D26). */
async function runOperation(runtime: Runtime, call: Call): Promise<Reply> {
  const extensions = checkExtensions(runtime.card, call);
  checkCapability(runtime.card, call);
  const operation = OPERATIONS[call.method] as Operation<typeof call.method>; // the table has the matching operation for each method
  const result = await operation(runtime, call);
  // Members one by one, because a spread here would cost more than the rest of the function.
  if (result.kind === 'stream') return { kind: 'stream', open: result.open, extensions };
  const reply: Reply = { kind: 'value', json: result.json, extensions };
  // Not enumerable, so that an interceptor that copies the reply with another text does not keep the pieces of this one.
  if (result.pieces !== undefined) Object.defineProperty(reply, 'pieces', { value: result.pieces, enumerable: false });
  return reply;
}

function whereOf({ requestId, caller, method, params }: Call): ErrorContext {
  const { message, id, taskId = message?.taskId ?? id } = params as { message?: Message; id?: string; taskId?: string }; // depends on the method
  return { requestId, caller: caller.id, method, ...(taskId !== undefined && { taskId }) };
}

type ReportHere = (error: A2AError) => void;

const NO_AUTH = Promise.resolve(ANONYMOUS);

function findCaller(auth: Settings['auth'], request: WireRequest, report: ReportHere): Promise<Caller> {
  return auth === undefined || auth === 'none' ? NO_AUTH : authenticate(auth, request, report);
}

async function authenticate(auth: Authenticate, request: WireRequest, report: ReportHere): Promise<Caller> {
  const caller = await verify(auth, request, report);
  if (caller === undefined || caller === null) throw new A2AError('AUTH_REQUIRED', 'credentials are missing or not accepted by this agent');
  if (typeof caller.id !== 'string') throw new TypeError('auth must return a Caller: an object with a string id');
  return caller;
}

/** Token libraries throw for an expired or malformed token. A client refreshes its token after 401, but not after 500. */
async function verify(auth: Authenticate, request: WireRequest, report: ReportHere): Promise<Caller | undefined | null> {
  try {
    return await auth(request);
  } catch (thrown) {
    if (isStatement(thrown)) throw thrown;
    const error = new A2AError('AUTH_REQUIRED', 'the credentials could not be verified', { cause: thrown });
    report(error);
    throw error;
  }
}

/** The errors that `auth` may throw on purpose; every other error means that the verification failed. */
const STATEMENTS: readonly ErrorReason[] = ['AUTH_REQUIRED', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED', 'AGENT_UNAVAILABLE'];

/** An error that another agent returned to a call inside `auth` says nothing about this caller. */
function isStatement(thrown: unknown): thrown is A2AError {
  return isA2AError(thrown) && STATEMENTS.includes(thrown.reason) && !isDownstreamError(thrown);
}
