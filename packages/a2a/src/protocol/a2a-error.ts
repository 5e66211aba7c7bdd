/** The base class of all errors: every failure that leaves the library, on either side, is an A2AError. */
import { boundChain, type ErrorLink, type NestedLink, nestChain } from './error-chain.js';
import { ERRORS, type ErrorReason, type ErrorRow, type GrpcStatus } from './error-table.js';

/** One invalid member; field is a dotted path of JSON names such as `message.parts[0].text`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** The error detail with the reason, as `google.rpc.ErrorInfo` defines it. */
export interface ErrorInfo {
  readonly '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The error detail with the time to wait before a retry, as `google.rpc.RetryInfo` defines it. */
export interface RetryInfo {
  readonly '@type': 'type.googleapis.com/google.rpc.RetryInfo';
  /** Seconds with the suffix s, for example `1.5s`. */
  readonly retryDelay: string;
}

/** The error detail with the invalid fields of a request, as `google.rpc.BadRequest` defines it. */
export interface BadRequest {
  readonly '@type': 'type.googleapis.com/google.rpc.BadRequest';
  readonly fieldViolations: readonly FieldViolation[];
}

/** The agents through which a failure came. */
export interface ChainDetail {
  readonly '@type': 'type.googleapis.com/google.protobuf.Struct';
  readonly value: NestedLink;
}

/** A detail of an unknown type, as a peer sent it. */
export interface OtherDetail {
  readonly '@type': string;
  readonly [member: string]: unknown;
}

/** One entry of an error's `details`; check its `@type`. */
export type ErrorDetail = ErrorInfo | ChainDetail | RetryInfo | BadRequest | OtherDetail;

/**
 * The source of an error: the peer's answer ('rpc', also for everything that fits no other kind), the network, a timeout, unreadable bytes
 * ('serialization'), the caller's own values ('validation'), or an abort by the caller ('aborted').
 */
export type ErrorKind = 'rpc' | 'network' | 'timeout' | 'serialization' | 'validation' | 'aborted';

/** Options of `new A2AError`: the cause, a retry hint, and what is sent to the peer. */
export interface A2AErrorOptions {
  /** The error that led to this one; it is never sent to a peer. Default: none. */
  readonly cause?: unknown;
  /** Default: the value in the table for the reason. */
  readonly retryable?: boolean | undefined;
  /** Tells the peer how long to wait before it retries. Default: no hint. */
  readonly retryAfterMs?: number | undefined;
  /** Values that describe the error. Sent to the peer: must not contain secrets. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The invalid fields of the request. Default: none. */
  readonly violations?: readonly FieldViolation[] | undefined;
  /** Default: the value in the table; for the few cases where HTTP is more specific, such as 405 or 415. */
  readonly httpStatus?: number | undefined;
  /** The JSON-RPC code that a peer sent, if it differs from the table. Default: the code in the table. */
  readonly code?: number | undefined;
  /** The gRPC status that a peer sent, if it differs from the table. Default: the status in the table. */
  readonly status?: GrpcStatus | undefined;
  /** The details that a peer sent. Default: created from the members above. */
  readonly details?: readonly ErrorDetail[] | undefined;
  /** The agents through which the failure came, outermost first. Default: none. */
  readonly chain?: readonly ErrorLink[] | undefined;
  /** The agent that sent the error, or that was called; absent for an agent's own errors. Default: none. */
  readonly peer?: string | undefined;
  /** The `www-authenticate` header that a peer sent. Default: none. */
  readonly challenge?: string | undefined;
}

const REFUSALS: readonly ErrorReason[] = ['INVALID_PARAMS', 'INVALID_REQUEST'];

// A registered symbol, so that two copies of the library in one process recognize each other's errors.
const BRAND = Symbol.for('parley.a2a.error');

/** The error with which calls of this library fail; check its `reason` and `retryable`. */
export class A2AError extends Error {
  override readonly name: string = 'A2AError';
  readonly reason: ErrorReason;
  /** JSON-RPC code. */
  readonly code: number;
  readonly httpStatus: number;
  /** gRPC status name. */
  readonly status: GrpcStatus;
  readonly retryable: boolean;
  /** The explicit statement about retrying, independent of the table; undefined when there was none. */
  readonly retryHint: boolean | undefined;
  readonly retryAfterMs: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  /** The agents through which the failure came, outermost first; empty for a local error. */
  readonly chain: readonly ErrorLink[];
  /** The agent that sent the error, or that was called; undefined for an agent's own errors. */
  readonly peer: string | undefined;
  /** The authentication that the peer requires: its `www-authenticate` header. */
  readonly challenge: string | undefined;
  readonly #received: readonly ErrorDetail[] | undefined;

  /** `message` is sent to the peer: name the invalid value, never quote the text of other errors. */
  constructor(reason: ErrorReason, message: string, options: A2AErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    const row: ErrorRow = ERRORS[reason];
    this.reason = reason;
    this.code = options.code ?? row.rpc;
    this.httpStatus = options.httpStatus ?? row.http;
    this.status = options.status ?? row.grpc;
    this.retryable = options.retryable ?? row.retryable;
    this.retryHint = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.metadata = options.metadata ?? {};
    this.violations = options.violations ?? [];
    this.chain = options.chain ?? [];
    this.peer = options.peer;
    this.challenge = options.challenge;
    this.#received = options.details;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** 'validation': the caller's own values were refused before anything was sent. 'aborted': the caller's own signal aborted the call. */
  get kind(): ErrorKind {
    if (this.reason === 'ABORTED') return 'aborted';
    return this.#received === undefined && REFUSALS.includes(this.reason) ? 'validation' : 'rpc';
  }

  /** The details that every binding sends with code and message: ErrorInfo first, then the chain if there is one. */
  get details(): readonly ErrorDetail[] {
    if (this.#received !== undefined) return this.#received;
    const details: ErrorDetail[] = [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: this.reason,
        domain: ERRORS[this.reason].domain,
        metadata: { ...this.metadata, retryable: String(this.retryable) },
      },
    ];
    const value = nestChain(boundChain(this.chain));
    if (value !== undefined) details.push({ '@type': 'type.googleapis.com/google.protobuf.Struct', value });
    if (this.retryAfterMs !== undefined) {
      details.push({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: toDuration(this.retryAfterMs) });
    }
    if (this.violations.length > 0) {
      details.push({ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: this.violations });
    }
    return details;
  }
}

/**
 * Whether a caught value is an A2AError. Works across copies of the library, where instanceof does not.
 *
 * @example
 * ```ts
 * import { isA2AError } from '@parley/a2a';
 * import { createClient } from '@parley/a2a/client';
 *
 * try {
 *   await createClient('http://127.0.0.1:4000').run('Hello').result;
 * } catch (error) {
 *   if (!isA2AError(error)) throw error;
 *   console.error(error.reason, error.retryable ? 'try again later' : error.message);
 * }
 * ```
 */
export function isA2AError(value: unknown): value is A2AError {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, BRAND);
}

/** Sets the called agent on an error that does not name one yet. */
export function markPeer(error: A2AError, peer: string): A2AError {
  if (error.peer === undefined) Reflect.defineProperty(error, 'peer', { value: peer, enumerable: true, configurable: true });
  return error;
}

/** Marks that a retry could execute something twice. `retryHint`, the peer's own statement, stays. */
export function markNotRetryable(error: A2AError): void {
  Reflect.defineProperty(error, 'retryable', { value: false, enumerable: true, configurable: true });
}

/** Converts any thrown value to an A2AError. The text of other errors is kept only as the cause, because it may contain secrets. */
export function toA2AError(thrown: unknown): A2AError {
  if (isA2AError(thrown)) return thrown;
  return new A2AError('INTERNAL_ERROR', 'Internal error', { cause: thrown });
}

function toDuration(milliseconds: number): string {
  return `${Math.max(0, Math.round(milliseconds)) / 1000}s`;
}
