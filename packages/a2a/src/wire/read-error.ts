/** Reads the errors of peers, whatever they look like. Nothing here throws: an error that can not be read is an error too. */
import { cutText } from '../protocol/cut-text.js';
import { A2AError, type A2AErrorOptions, type ErrorReason, type GrpcStatus } from '../protocol/errors.js';
import { isObject } from '../protocol/is-object.js';
import { classify, classifyStatus, knownReason } from './classify-error.js';
import type { LegacyCodes } from './legacy-codes.js';
import { readDetails } from './read-details.js';
import { parseRetryAfter } from './retry-after.js';

export interface ReadErrorOptions {
  /** For peers that number their errors as one widely read article did before A2A 1.0. Default: only the protocol's numbers. */
  readonly legacyCodes?: LegacyCodes | undefined;
  /** Who said it: a name or URL, kept as `peer` of the error. */
  readonly peer?: string | undefined;
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. Default: such a date is not read. */
  readonly now?: (() => number) | undefined;
  /** Of the answer that a JSON-RPC error came in. */
  readonly httpStatus?: number | undefined;
  /** Headers of the answer by lower-case name. */
  readonly header?: ((name: string) => string | undefined) | undefined;
}

/** An answer other than 2xx, its body read as text. */
export interface HttpFailure {
  readonly status: number;
  /** By lower-case name. */
  header(name: string): string | undefined;
  readonly bodyText: string;
}

const MAX_MESSAGE = 2000;
const MAX_QUOTED = 200;

/** Reads the `error` member of a JSON-RPC answer. */
export function readRpcError(error: unknown, options: ReadErrorOptions = {}): A2AError {
  return guarded(options, () => {
    if (!isObject(error)) return unreadable(options);
    return build({ code: toInteger(error.code), message: error.message, data: error.data }, options);
  });
}

/** Reads an error body of HTTP+JSON: AIP-193, problem+json, or a JSON-RPC error where none should be. */
export function readRestError(body: unknown, status: number, options: ReadErrorOptions = {}): A2AError {
  const answer = { ...options, httpStatus: status };
  return guarded(answer, () => {
    if (!isObject(body)) return unreadable(answer);
    if (isObject(body.error)) return body.jsonrpc === '2.0' ? readRpcError(body.error, answer) : readBody(body.error, answer);
    const message = [body.detail, body.title, body.message, body.error_description, body.error].find((text) => typeof text === 'string');
    if (message === undefined && body.details === undefined && body.code === undefined) return unreadable(answer);
    return readBody({ ...body, message, code: body.code ?? body.status }, answer);
  });
}

/** Reads an answer that is not 2xx. A body without an error in it (HTML, plain text, nothing) leaves the status to speak. */
export function readHttpFailure(failure: HttpFailure, options: ReadErrorOptions = {}): A2AError {
  const answer: ReadErrorOptions = { ...options, httpStatus: failure.status, header: (name) => failure.header(name) };
  return guarded(answer, () => {
    const body = parseJson(failure.bodyText);
    if (isObject(body)) return readRestError(body, failure.status, answer);
    return unreadable(answer, failure.bodyText.trim());
  });
}

interface Said {
  /** JSON-RPC. */
  readonly code?: number | undefined;
  readonly status?: GrpcStatus | undefined;
  readonly message: unknown;
  readonly data: unknown;
}

/** `code` is the HTTP status in AIP-193 and a negative number in JSON-RPC. */
function readBody(error: Readonly<Record<string, unknown>>, options: ReadErrorOptions): A2AError {
  const code = toInteger(error.code);
  return build(
    {
      code: code !== undefined && code < 0 ? code : undefined,
      status: toStatus(error.status),
      message: error.message,
      data: error.details ?? error.data,
    },
    options,
  );
}

function build({ code, status, message, data }: Said, options: ReadErrorOptions): A2AError {
  const read = readDetails(data);
  const httpStatus = failureStatus(options);
  const peerError = { reason: read.reason, domain: read.domain, code, status, httpStatus, legacyCodes: options.legacyCodes };
  const reason = classify(peerError);
  const isForeign = read.reason !== undefined && knownReason(peerError) === undefined;
  return create(reason, toMessage(message, code, options), {
    ...fromAnswer(options, read.retryAfterMs),
    code,
    status,
    metadata: { ...read.metadata, ...(isForeign && { peerReason: read.reason ?? '' }) },
    retryable: read.retryable,
    violations: read.violations,
    chain: read.chain,
    details: read.details,
  });
}

function create(reason: ErrorReason, message: string, options: A2AErrorOptions): A2AError {
  return new A2AError(reason, message, options);
}

/** What the answer itself says, whatever is in its body. */
function fromAnswer(options: ReadErrorOptions, retryAfterMs?: number): A2AErrorOptions {
  const { header, peer } = options;
  return {
    peer: peer ?? 'unknown',
    httpStatus: failureStatus(options),
    retryAfterMs: retryAfterMs ?? askedDelay(options),
    challenge: header?.('www-authenticate')?.slice(0, MAX_MESSAGE),
  };
}

function askedDelay({ header, now }: ReadErrorOptions): number | undefined {
  const asked = header?.('retry-after')?.trim();
  if (asked === undefined || (now === undefined && !/^\d/.test(asked))) return undefined;
  return parseRetryAfter(asked, now?.() ?? 0);
}

/** JSON-RPC errors come with 200 too, which says nothing. */
function failureStatus({ httpStatus }: ReadErrorOptions): number | undefined {
  return httpStatus !== undefined && httpStatus >= 300 ? httpStatus : undefined;
}

const PHRASES: Readonly<Partial<Record<ErrorReason, string>>> = {
  AUTH_REQUIRED: 'the agent wants to know who calls',
  INSUFFICIENT_SCOPE: 'the agent does not allow this',
  METHOD_NOT_FOUND: 'nothing is served at this address',
  TASK_TIMEOUT: 'it took too long',
  CONTENT_TOO_LARGE: 'the request is too large',
  CONTENT_TYPE_NOT_SUPPORTED: 'the agent does not take this kind of content',
  RATE_LIMITED: 'the agent is asked too often',
  AGENT_UNAVAILABLE: 'the agent is not available',
  INVALID_AGENT_RESPONSE: 'there is no answer in it',
};

/** There is no error in the answer: its status says what there is to say. */
function unreadable(options: ReadErrorOptions, text = ''): A2AError {
  const { httpStatus } = options;
  const reason = httpStatus === undefined ? 'INTERNAL_ERROR' : classifyStatus(httpStatus);
  const phrase = PHRASES[reason] ?? 'the agent failed';
  const quoted = text === '' || text.startsWith('<') ? '' : `: ${cutText(text, MAX_QUOTED)}`;
  const message = httpStatus === undefined ? 'The agent sent an error that can not be read' : `HTTP ${httpStatus}, ${phrase}${quoted}`;
  return create(reason, message, { ...fromAnswer(options), details: [] });
}

function toMessage(message: unknown, code: number | undefined, { httpStatus }: ReadErrorOptions): string {
  if (typeof message === 'string' && message !== '') return cutText(message, MAX_MESSAGE);
  return `The agent answered with error ${code ?? httpStatus ?? 'of no number'} and no message`;
}

function toInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

const STATUSES: readonly GrpcStatus[] = [
  'ABORTED',
  'ALREADY_EXISTS',
  'CANCELLED',
  'DATA_LOSS',
  'DEADLINE_EXCEEDED',
  'FAILED_PRECONDITION',
  'INTERNAL',
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'OUT_OF_RANGE',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'UNAUTHENTICATED',
  'UNAVAILABLE',
  'UNIMPLEMENTED',
  'UNKNOWN',
];

function toStatus(value: unknown): GrpcStatus | undefined {
  return STATUSES.find((status) => status === value);
}

function parseJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values that no JSON holds (cycles, getters that throw, nesting without end) must not turn an error into another. */
function guarded(options: ReadErrorOptions, read: () => A2AError): A2AError {
  try {
    return read();
  } catch (cause) {
    const message = 'The agent sent an error that can not be read';
    return create('INTERNAL_ERROR', message, { cause, peer: options.peer ?? 'unknown', httpStatus: failureStatus(options), details: [] });
  }
}
