/**
 * Decides whether a failed call may be sent again. This depends on whether the first attempt may have had an effect, and whether a second
 * execution would matter. "Repeatable" are the reads, cancel, subscribe and the deletion of a push config. A send or a new push config is
 * repeatable only for peers that recognize the idempotency key (the log extension).
 *
 * | failure                                                     | repeatable | others                             |
 * |-------------------------------------------------------------|------------|------------------------------------|
 * | the peer says `retryable: false`                            | no         | no                                 |
 * | error of the caller, auth, scope; aborted; total timeout    | no         | no                                 |
 * | the peer says `retryable: true`                             | yes        | yes                                |
 * | never sent: refused, DNS, TLS, connect or pool timeout      | yes        | yes                                |
 * | 429, RATE_LIMITED: nothing ran                              | yes        | yes                                |
 * | 503, AGENT_UNAVAILABLE: the response says that nothing ran  | yes        | yes                                |
 * | sent, no response: broken, timed out                        | yes        | no                                 |
 * | 502, 504, 520–530: a gateway does not know whether it ran   | yes        | no (with `policy: 'all5xx'` yes)   |
 * | other 5xx except 501 and 505: it may have run               | yes        | no (with `policy: 'all5xx'` yes)   |
 * | INTERNAL_ERROR, TASK_TIMEOUT: it may have run               | yes        | no (with `policy: 'all5xx'` yes)   |
 * | everything else, including unreadable responses             | no         | no                                 |
 */
import { type A2AError, ERRORS, type ErrorReason, isTransportError } from '../../protocol/errors.js';
import type { ClientCall } from '../call.js';
import { isVerdict } from './cold-start.js';

/** 'safe': nothing is executed twice. 'all5xx': every 5xx except 501 and 505 is retried, including calls that may have run. */
export type RetryRule = 'safe' | 'all5xx';

export interface RetryFacts {
  /** True if a second execution has no further effect. */
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

/** Never retried, even if the peer says `retryable: true`: the same request gets the same response. */
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

/** Reasons that say little. If the HTTP status differs from the status of the reason in the error table, the HTTP status decides. */
const VAGUE: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'AGENT_UNAVAILABLE',
  'TASK_TIMEOUT',
  'INTERNAL_ERROR',
  'INVALID_AGENT_RESPONSE',
]);

export function isRepeatable(method: string): boolean {
  return REPEATABLE.has(method);
}

/** True if this call may be sent again after this error. */
export function mayTryAgain(error: A2AError, call: ClientCall, rule: RetryRule = 'safe'): boolean {
  return decide(error, { repeatable: canBeRepeated(call), rule });
}

/** True if the failed call may have been executed and a second execution would matter. */
export function mayBeDoneTwice(error: A2AError, call: ClientCall): boolean {
  if (canBeRepeated(call)) return false;
  if (isTransportError(error)) return error.sent;
  return decide(error, { repeatable: true, rule: 'safe' }) && !decide(error, { repeatable: false, rule: 'safe' });
}

/** True if a second execution of this call has no further effect. */
export function canBeRepeated({ method, peer, idempotencyKey }: ClientCall): boolean {
  return isRepeatable(method) || (peer.log.idempotencyKey && idempotencyKey !== undefined);
}

function decide(error: A2AError, facts: RetryFacts): boolean {
  if (error.retryHint === false || NEVER.has(error.reason) || isVerdict(error)) return false;
  if (isTransportError(error)) return decideTransport(error, facts);
  if (error.retryHint === true) return true;
  const isHttp = VAGUE.has(error.reason) && error.httpStatus !== ERRORS[error.reason].http;
  return isHttp ? decideHttp(error.httpStatus, facts) : decideRpc(error, facts);
}

/** Decides by the HTTP status alone. */
export function decideHttp(status: number, { repeatable, rule }: RetryFacts): boolean {
  if (status === 429 || status === 503) return true;
  if (status === 501 || status === 505 || status < 500) return false;
  return repeatable || rule === 'all5xx';
}

/** Decides by the error that the agent sent. */
export function decideRpc(error: A2AError, { repeatable, rule }: RetryFacts): boolean {
  switch (error.reason) {
    case 'RATE_LIMITED':
    case 'AGENT_UNAVAILABLE':
      return true;
    case 'TASK_TIMEOUT':
      return repeatable || rule === 'all5xx';
    case 'INTERNAL_ERROR':
      // An error with a cause was created in this process, and would occur again.
      return error.cause === undefined && (repeatable || rule === 'all5xx');
    default:
      return false;
  }
}

function decideTransport(error: A2AError & { readonly sent: boolean; readonly phase?: string | undefined }, facts: RetryFacts): boolean {
  if (error.phase === 'total' || error.kind === 'serialization') return false;
  return !error.sent || facts.repeatable;
}
