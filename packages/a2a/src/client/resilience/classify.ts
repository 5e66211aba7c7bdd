/**
 * Whether a call that failed may be sent again. What matters is whether the first try may have done something, and whether doing it twice
 * matters. "Repeatable" are the reads, cancel, subscribe and the deletion of a push config; a send or a new push config is so only to peers
 * that know the call by its idempotency key (the log extension).
 *
 * | failure                                                     | repeatable | others                             |
 * |-------------------------------------------------------------|------------|------------------------------------|
 * | the peer says `retryable: false`                            | no         | no                                 |
 * | the caller's own fault, auth, scope; aborted; out of time   | no         | no                                 |
 * | the peer says `retryable: true`                             | yes        | yes                                |
 * | never sent: refused, DNS, TLS, no connection in time        | yes        | yes                                |
 * | 429, RATE_LIMITED: nothing ran                              | yes        | yes                                |
 * | 503, AGENT_UNAVAILABLE: an answer, and it says nothing ran  | yes        | yes                                |
 * | sent and unanswered: broken, timed out, 502, 504, 520–530   | yes        | no                                 |
 * | other 5xx, INTERNAL_ERROR, TASK_TIMEOUT: it may have run    | yes        | no (with `policy: 'all5xx'` yes)   |
 * | everything else, unreadable answers among it                | no         | no                                 |
 */
import { type A2AError, ERRORS, type ErrorReason, isTransportError } from '../../protocol/errors.js';
import type { ClientCall } from '../call.js';
import { isVerdict } from './cold-start.js';

/** 'safe': nothing is done twice. 'all5xx': whatever failed with 5xx is tried again, also what may have run. */
export type RetryRule = 'safe' | 'all5xx';

export interface RetryFacts {
  /** Doing it twice is doing it once. */
  readonly repeatable: boolean;
  readonly rule: RetryRule;
}

const REPEATABLE: ReadonlySet<string> = new Set<ClientCall['method']>([
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
  'GetAgentCard',
]);

/** Whatever a peer says beside them: the same request gets the same answer. */
const NEVER: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'PARSE_ERROR',
  'INVALID_REQUEST',
  'METHOD_NOT_FOUND',
  'INVALID_PARAMS',
  'AUTH_REQUIRED',
  'INSUFFICIENT_SCOPE',
  'ABORTED',
  'INPUT_REQUIRED',
]);

/** Reasons that say little: where HTTP says something else than their row in the table, HTTP is the one to ask. */
const VAGUE: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'AGENT_UNAVAILABLE',
  'TASK_TIMEOUT',
  'INTERNAL_ERROR',
  'INVALID_AGENT_RESPONSE',
]);

export function isRepeatable(method: string): boolean {
  return REPEATABLE.has(method);
}

/** Whether this call may be sent again after this error. */
export function mayTryAgain(error: A2AError, call: ClientCall, rule: RetryRule = 'safe'): boolean {
  return decide(error, { repeatable: canBeRepeated(call), rule });
}

/** Whether the call may have been done although it failed, and doing it twice matters. */
export function mayBeDoneTwice(error: A2AError, call: ClientCall): boolean {
  if (canBeRepeated(call)) return false;
  if (isTransportError(error)) return error.sent;
  return decide(error, { repeatable: true, rule: 'safe' }) && !decide(error, { repeatable: false, rule: 'safe' });
}

function canBeRepeated({ method, peer, idempotencyKey }: ClientCall): boolean {
  return isRepeatable(method) || (peer.log.idempotencyKey && idempotencyKey !== undefined);
}

function decide(error: A2AError, facts: RetryFacts): boolean {
  if (error.retryHint === false || NEVER.has(error.reason) || isVerdict(error)) return false;
  if (isTransportError(error)) return decideTransport(error, facts);
  if (error.retryHint === true) return true;
  const isHttp = VAGUE.has(error.reason) && error.httpStatus !== ERRORS[error.reason].http;
  return isHttp ? decideHttp(error.httpStatus, facts) : decideRpc(error, facts);
}

/** By the status of the answer alone. */
export function decideHttp(status: number, { repeatable, rule }: RetryFacts): boolean {
  if (status === 429 || status === 503) return true;
  if (status === 501 || status === 505 || status < 500) return false;
  return repeatable || rule === 'all5xx';
}

/** By what the agent said. */
export function decideRpc(error: A2AError, { repeatable, rule }: RetryFacts): boolean {
  switch (error.reason) {
    case 'RATE_LIMITED':
    case 'AGENT_UNAVAILABLE':
      return true;
    case 'TASK_TIMEOUT':
      return repeatable || rule === 'all5xx';
    case 'INTERNAL_ERROR':
      // One with a cause was made here, and what broke here breaks again.
      return error.cause === undefined && (repeatable || rule === 'all5xx');
    default:
      return false;
  }
}

function decideTransport(error: A2AError & { readonly sent: boolean; readonly phase?: string | undefined }, facts: RetryFacts): boolean {
  if (error.phase === 'total' || error.kind === 'serialization') return false;
  return !error.sent || facts.repeatable;
}
