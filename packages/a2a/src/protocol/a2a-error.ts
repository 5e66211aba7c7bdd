/** The root of all errors: every failure that leaves the library, on either side, is an A2AError. */
import { boundChain, type ErrorLink, type NestedLink, nestChain } from './error-chain.js';
import { ERRORS, type ErrorReason, type ErrorRow, type GrpcStatus } from './error-table.js';

/** One bad member; field is a dotted path of JSON names such as `message.parts[0].text`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export interface ErrorInfo {
  readonly '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RetryInfo {
  readonly '@type': 'type.googleapis.com/google.rpc.RetryInfo';
  /** Seconds with the suffix s, for example `1.5s`. */
  readonly retryDelay: string;
}

export interface BadRequest {
  readonly '@type': 'type.googleapis.com/google.rpc.BadRequest';
  readonly fieldViolations: readonly FieldViolation[];
}

/** Which agents a failure came through. */
export interface ChainDetail {
  readonly '@type': 'type.googleapis.com/google.protobuf.Struct';
  readonly value: NestedLink;
}

/** A detail of a type that is not ours, as a peer sent it. */
export interface OtherDetail {
  readonly '@type': string;
  readonly [member: string]: unknown;
}

export type ErrorDetail = ErrorInfo | ChainDetail | RetryInfo | BadRequest | OtherDetail;

/**
 * Where an error comes from: what a peer says ('rpc', and whatever fits nothing else), the way there, its bytes, the caller's own values, or
 * the caller who left ('aborted').
 */
export type ErrorKind = 'rpc' | 'network' | 'timeout' | 'serialization' | 'validation' | 'aborted';

export interface A2AErrorOptions {
  readonly cause?: unknown;
  /** Default: what the table says for the reason. */
  readonly retryable?: boolean | undefined;
  /** Tells the peer how long to wait before it tries again. */
  readonly retryAfterMs?: number | undefined;
  /** Sent to the peer: put nothing secret here. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly violations?: readonly FieldViolation[] | undefined;
  /** Default: what the table says; for the few cases where HTTP is finer, such as 405 or 415. */
  readonly httpStatus?: number | undefined;
  /** What a peer sent, where it differs from the table. */
  readonly code?: number | undefined;
  readonly status?: GrpcStatus | undefined;
  /** What a peer sent; default: made from the members above. */
  readonly details?: readonly ErrorDetail[] | undefined;
  /** Outermost first: which agents the failure came through. */
  readonly chain?: readonly ErrorLink[] | undefined;
  /** The agent that said so, or that the call was for; absent for what an agent says itself. */
  readonly peer?: string | undefined;
  /** What a peer sent as `www-authenticate`. */
  readonly challenge?: string | undefined;
}

const REFUSALS: readonly ErrorReason[] = ['INVALID_PARAMS', 'INVALID_REQUEST'];

// Registered, so that two copies of the library in one process recognise each other's errors.
const BRAND = Symbol.for('parley.a2a.error');

export class A2AError extends Error {
  override readonly name: string = 'A2AError';
  readonly reason: ErrorReason;
  /** JSON-RPC code. */
  readonly code: number;
  readonly httpStatus: number;
  /** gRPC status name. */
  readonly status: GrpcStatus;
  readonly retryable: boolean;
  /** What was said about trying again, beyond what the table says for the reason; undefined when nothing was. */
  readonly retryHint: boolean | undefined;
  readonly retryAfterMs: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  /** Outermost first: which agents the failure came through; empty when it was made here. */
  readonly chain: readonly ErrorLink[];
  /** The agent that said so, or that the call was for; undefined for what an agent says itself. */
  readonly peer: string | undefined;
  /** How the peer wants to be authenticated to: its `www-authenticate`. */
  readonly challenge: string | undefined;
  readonly #received: readonly ErrorDetail[] | undefined;

  /** message is sent to the peer: name the value at fault, never quote foreign error text. */
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

  /** 'validation': the caller's own values were refused before anything was sent. 'aborted': the caller's own signal ended it. */
  get kind(): ErrorKind {
    if (this.reason === 'ABORTED') return 'aborted';
    return this.#received === undefined && REFUSALS.includes(this.reason) ? 'validation' : 'rpc';
  }

  /** What every binding sends beside code and message: ErrorInfo first, then the chain if there is one. */
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

/** Works across copies of the library, where instanceof does not. */
export function isA2AError(value: unknown): value is A2AError {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, BRAND);
}

/** Notes which agent a call was for, on an error that does not say so yet. */
export function markPeer(error: A2AError, peer: string): A2AError {
  if (error.peer === undefined) Reflect.defineProperty(error, 'peer', { value: peer, enumerable: true, configurable: true });
  return error;
}

/** Notes that trying again could do something twice. `retryHint`, what the peer said, stays. */
export function markNotRetryable(error: A2AError): void {
  Reflect.defineProperty(error, 'retryable', { value: false, enumerable: true, configurable: true });
}

/** Turns anything thrown into an A2AError. Foreign text is kept as the cause only, because it may hold secrets. */
export function toA2AError(thrown: unknown): A2AError {
  if (isA2AError(thrown)) return thrown;
  return new A2AError('INTERNAL_ERROR', 'Internal error', { cause: thrown });
}

function toDuration(milliseconds: number): string {
  return `${Math.max(0, Math.round(milliseconds)) / 1000}s`;
}
