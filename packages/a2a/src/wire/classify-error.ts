/**
 * Maps a peer's error to one of our reasons. The peer's reason decides if it is one of ours. Next are the HTTP statuses for which the
 * protocol has no code, then the code, then the other HTTP statuses: servers send the general ones (400, 404, 500) with any code.
 */
import { type ErrorReason, type GrpcStatus, isKnownDomain, isPeerReason, reasonOfCode } from '../protocol/errors.js';
import { reasonInDialect } from './plain-codes.js';

export interface PeerError {
  readonly reason?: string | undefined;
  readonly domain?: string | undefined;
  /** The JSON-RPC code. */
  readonly code?: number | undefined;
  readonly httpStatus?: number | undefined;
  /** The gRPC status name, if the peer sent one. */
  readonly status?: GrpcStatus | undefined;
  /** The codes are those of the plain dialect. */
  readonly hasPlainCodes?: boolean | undefined;
}

const DECISIVE: ReadonlyMap<number, ErrorReason> = new Map<number, ErrorReason>([
  [401, 'AUTH_REQUIRED'],
  [403, 'INSUFFICIENT_SCOPE'],
  [408, 'TASK_TIMEOUT'],
  [413, 'CONTENT_TOO_LARGE'],
  [429, 'RATE_LIMITED'],
  [503, 'AGENT_UNAVAILABLE'],
  [504, 'TASK_TIMEOUT'],
]);

// 404 may be a missing route: only a reason or a code shows that it is a task. 409, 415 and 502 are from an earlier table.
const GENERAL: ReadonlyMap<number, ErrorReason> = new Map<number, ErrorReason>([
  [404, 'METHOD_NOT_FOUND'],
  [405, 'METHOD_NOT_FOUND'],
  [409, 'TASK_NOT_CANCELABLE'],
  [410, 'METHOD_NOT_FOUND'],
  [415, 'CONTENT_TYPE_NOT_SUPPORTED'],
  [422, 'INVALID_PARAMS'],
  [501, 'UNSUPPORTED_OPERATION'],
  [502, 'INVALID_AGENT_RESPONSE'],
]);

const STATUSES: ReadonlyMap<GrpcStatus, ErrorReason> = new Map<GrpcStatus, ErrorReason>([
  ['UNAUTHENTICATED', 'AUTH_REQUIRED'],
  ['PERMISSION_DENIED', 'INSUFFICIENT_SCOPE'],
  ['RESOURCE_EXHAUSTED', 'RATE_LIMITED'],
  ['UNAVAILABLE', 'AGENT_UNAVAILABLE'],
  ['DEADLINE_EXCEEDED', 'TASK_TIMEOUT'],
]);

export function classify(error: PeerError): ErrorReason {
  return (
    knownReason(error) ?? dialectReason(error) ?? decisiveReason(error) ?? codeReason(error) ?? statusReason(error) ?? 'INTERNAL_ERROR'
  );
}

/** The reason that the peer sent, if it is a known one. */
export function knownReason({ reason, domain }: PeerError): ErrorReason | undefined {
  return isPeerReason(reason) && (domain === undefined || isKnownDomain(domain)) ? reason : undefined;
}

function dialectReason({ code, hasPlainCodes }: PeerError): ErrorReason | undefined {
  return code === undefined || hasPlainCodes !== true ? undefined : reasonInDialect(code);
}

function decisiveReason({ httpStatus }: PeerError): ErrorReason | undefined {
  return httpStatus === undefined ? undefined : DECISIVE.get(httpStatus);
}

function codeReason({ code }: PeerError): ErrorReason | undefined {
  const reason = code === undefined ? undefined : reasonOfCode(code);
  return isPeerReason(reason) ? reason : undefined;
}

function statusReason({ httpStatus, status }: PeerError): ErrorReason | undefined {
  const named = status === undefined ? undefined : STATUSES.get(status);
  if (named !== undefined) return named;
  if (httpStatus === undefined) return undefined;
  const general = GENERAL.get(httpStatus);
  // Earlier tables use UNIMPLEMENTED for unsupported operations.
  if (general === undefined && status === 'UNIMPLEMENTED') return 'UNSUPPORTED_OPERATION';
  if (general === undefined && status === 'INVALID_ARGUMENT') return 'INVALID_PARAMS';
  if (general !== undefined) return general;
  return httpStatus >= 400 && httpStatus < 500 ? 'INVALID_REQUEST' : undefined;
}

/** The reason for a failure that may not come from the agent itself, for example from a proxy. */
export function classifyStatus(httpStatus: number): ErrorReason {
  if (httpStatus === 502 || (httpStatus >= 520 && httpStatus <= 530)) return 'AGENT_UNAVAILABLE';
  if (httpStatus < 400) return 'INVALID_AGENT_RESPONSE';
  return classify({ httpStatus });
}
