/** The only table that maps a reason to its code or name in every binding. */
const A2A_DOMAIN = 'a2a-protocol.org';
const PARLEY_DOMAIN = 'parley.a2a';

/** The status names of gRPC, as errors over HTTP contain them. */
export type GrpcStatus =
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'UNIMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'UNAUTHENTICATED'
  | 'CANCELLED'
  | 'UNKNOWN'
  // Not in the table; peers may send them.
  | 'ALREADY_EXISTS'
  | 'ABORTED'
  | 'OUT_OF_RANGE'
  | 'DATA_LOSS';

/** One row of `ERRORS`: the name, the codes in each binding, and whether a retry may help. */
export interface ErrorRow {
  readonly name: string;
  readonly rpc: number;
  readonly http: number;
  readonly grpc: GrpcStatus;
  readonly retryable: boolean;
  readonly domain: string;
}

const a2a = { domain: A2A_DOMAIN, retryable: false } as const;
const own = { domain: PARLEY_DOMAIN, retryable: false } as const;
const ownRetryable = { domain: PARLEY_DOMAIN, retryable: true } as const;

/**
 * Four groups: the protocol's errors, the generic errors of JSON-RPC, application reasons, and reasons that only a client reports to its
 * own caller. The last two are outside the range that JSON-RPC and A2A reserve, so that a code never has two meanings.
 */
export const ERRORS = {
  TASK_NOT_FOUND: { name: 'TaskNotFoundError', rpc: -32001, http: 404, grpc: 'NOT_FOUND', ...a2a },
  TASK_NOT_CANCELABLE: { name: 'TaskNotCancelableError', rpc: -32002, http: 400, grpc: 'FAILED_PRECONDITION', ...a2a },
  PUSH_NOTIFICATION_NOT_SUPPORTED: {
    name: 'PushNotificationNotSupportedError',
    rpc: -32003,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    ...a2a,
  },
  UNSUPPORTED_OPERATION: { name: 'UnsupportedOperationError', rpc: -32004, http: 400, grpc: 'FAILED_PRECONDITION', ...a2a },
  CONTENT_TYPE_NOT_SUPPORTED: { name: 'ContentTypeNotSupportedError', rpc: -32005, http: 400, grpc: 'INVALID_ARGUMENT', ...a2a },
  INVALID_AGENT_RESPONSE: { name: 'InvalidAgentResponseError', rpc: -32006, http: 500, grpc: 'INTERNAL', ...a2a },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: {
    name: 'ExtendedAgentCardNotConfiguredError',
    rpc: -32007,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    ...a2a,
  },
  EXTENSION_SUPPORT_REQUIRED: { name: 'ExtensionSupportRequiredError', rpc: -32008, http: 400, grpc: 'FAILED_PRECONDITION', ...a2a },
  VERSION_NOT_SUPPORTED: { name: 'VersionNotSupportedError', rpc: -32009, http: 400, grpc: 'FAILED_PRECONDITION', ...a2a },

  PARSE_ERROR: { name: 'ParseError', rpc: -32700, http: 400, grpc: 'INVALID_ARGUMENT', ...own },
  INVALID_REQUEST: { name: 'InvalidRequestError', rpc: -32600, http: 400, grpc: 'INVALID_ARGUMENT', ...own },
  METHOD_NOT_FOUND: { name: 'MethodNotFoundError', rpc: -32601, http: 404, grpc: 'UNIMPLEMENTED', ...own },
  INVALID_PARAMS: { name: 'InvalidParamsError', rpc: -32602, http: 400, grpc: 'INVALID_ARGUMENT', ...own },
  INTERNAL_ERROR: { name: 'InternalError', rpc: -32603, http: 500, grpc: 'INTERNAL', ...own },

  AUTH_REQUIRED: { name: 'AuthRequiredError', rpc: -31001, http: 401, grpc: 'UNAUTHENTICATED', ...own },
  INSUFFICIENT_SCOPE: { name: 'InsufficientScopeError', rpc: -31003, http: 403, grpc: 'PERMISSION_DENIED', ...own },
  RATE_LIMITED: { name: 'RateLimitedError', rpc: -31004, http: 429, grpc: 'RESOURCE_EXHAUSTED', ...ownRetryable },
  AGENT_UNAVAILABLE: { name: 'AgentUnavailableError', rpc: -31005, http: 503, grpc: 'UNAVAILABLE', ...ownRetryable },
  TASK_TIMEOUT: { name: 'TaskTimeoutError', rpc: -31006, http: 504, grpc: 'DEADLINE_EXCEEDED', ...ownRetryable },
  CONTENT_TOO_LARGE: { name: 'ContentTooLargeError', rpc: -31007, http: 413, grpc: 'RESOURCE_EXHAUSTED', ...own },
  SKILL_NOT_FOUND: { name: 'SkillNotFoundError', rpc: -31008, http: 404, grpc: 'NOT_FOUND', ...own },
  IDEMPOTENCY_CONFLICT: { name: 'IdempotencyConflictError', rpc: -31009, http: 422, grpc: 'FAILED_PRECONDITION', ...own },

  ABORTED: { name: 'AbortedError', rpc: -31010, http: 499, grpc: 'CANCELLED', ...own },
  INPUT_REQUIRED: { name: 'InputRequiredError', rpc: -31011, http: 409, grpc: 'FAILED_PRECONDITION', ...own },
} as const satisfies Record<string, ErrorRow>;

/** The reasons of an A2AError: the keys of `ERRORS`. */
export type ErrorReason = keyof typeof ERRORS;

/** Reasons that a client reports to its own caller; a peer must not send them. */
const CLIENT_ONLY: readonly ErrorReason[] = ['ABORTED', 'INPUT_REQUIRED'];

/** Whether a value is a reason that an agent may send. */
export function isPeerReason(reason: unknown): reason is ErrorReason {
  if (typeof reason !== 'string' || !Object.hasOwn(ERRORS, reason)) return false;
  return !CLIENT_ONLY.some((own) => own === reason);
}

/** Whether an ErrorInfo of this domain uses the reasons of the table. */
export function isKnownDomain(domain: unknown): boolean {
  return domain === A2A_DOMAIN || domain === PARLEY_DOMAIN;
}

const reasonsByCode: ReadonlyMap<number, ErrorReason> = new Map(
  // `Object.entries` widens the keys; they are the table's own.
  (Object.entries(ERRORS) as [ErrorReason, ErrorRow][]).map(([reason, row]) => [row.rpc, reason]),
);

/** The reason for a JSON-RPC error code; undefined for a code that is not in the table. */
export function reasonOfCode(code: number): ErrorReason | undefined {
  return reasonsByCode.get(code);
}
