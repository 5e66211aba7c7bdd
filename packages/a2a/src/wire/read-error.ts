/** Reads errors of peers in any format. Never throws: an unreadable error is also returned as an error. */
import { cutText } from '../protocol/cut-text.js';
import { A2AError, type A2AErrorOptions, type ErrorLink, type ErrorReason, type GrpcStatus, reasonOfCode } from '../protocol/errors.js';
import { isObject } from '../protocol/is-object.js';
import { classify, classifyStatus, knownReason } from './classify-error.js';
import { reasonInDialect } from './plain-codes.js';
import { readDetails } from './read-details.js';
import { parseRetryAfter } from './retry-after.js';

/** Options of the functions that read a peer's error: the peer, and the HTTP response that contained it. */
export interface ReadErrorOptions {
  /** The peer uses the codes of the plain dialect. Default: only in a JSON-RPC error whose `data` is an object with `retryable`. */
  readonly plainCodes?: boolean | undefined;
  /** The peer that sent it: a name or URL, kept as `peer` of the error. Default: none. */
  readonly peer?: string | undefined;
  /** The current time in milliseconds since the epoch, for a `Retry-After` date. Default: such a date is ignored. */
  readonly now?: (() => number) | undefined;
  /** The HTTP status of the response that contained a JSON-RPC error. Default: none; the status then comes from the table. */
  readonly httpStatus?: number | undefined;
  /** Returns a header of the response by its lower-case name. Default: no headers are read. */
  readonly header?: ((name: string) => string | undefined) | undefined;
}

/** A response other than 2xx, with its body as text. */
export interface HttpFailure {
  readonly status: number;
  /** By lower-case name. */
  header(name: string): string | undefined;
  readonly bodyText: string;
}

const MAX_MESSAGE = 2000;
const MAX_QUOTED = 200;

/** Reads the `error` member of a JSON-RPC response. */
export function readRpcError(error: unknown, options: ReadErrorOptions = {}): A2AError {
  return guarded(options, () => {
    if (!isObject(error)) return unreadable(options);
    return build({ code: toInteger(error.code), message: error.message, data: error.data, isRpc: true }, options);
  });
}

/** Reads an error body of HTTP+JSON: AIP-193, problem+json, or a misplaced JSON-RPC error. */
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

/** Reads a response other than 2xx. If its body contains no error (HTML, plain text, empty), the status decides. */
export function readHttpFailure(failure: HttpFailure, options: ReadErrorOptions = {}): A2AError {
  const answer: ReadErrorOptions = { ...options, httpStatus: failure.status, header: (name) => failure.header(name) };
  return guarded(answer, () => {
    const body = parseJson(failure.bodyText);
    if (isObject(body)) return readRestError(body, failure.status, answer);
    return unreadable(answer, failure.bodyText.trim());
  });
}

interface Said {
  /** The JSON-RPC code. */
  readonly code?: number | undefined;
  readonly status?: GrpcStatus | undefined;
  readonly message: unknown;
  readonly data: unknown;
  readonly isRpc?: boolean;
}

/** `code` is the HTTP status in AIP-193, and a negative number in JSON-RPC. */
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

function build({ code, status, message, data, isRpc = false }: Said, options: ReadErrorOptions): A2AError {
  const read = readDetails(data);
  const httpStatus = failureStatus(options);
  const hasPlainCodes = options.plainCodes ?? (isRpc && isObject(data) && typeof data.retryable === 'boolean');
  const peerError = { reason: read.reason, domain: read.domain, code, status, httpStatus, hasPlainCodes };
  const reason = classify(peerError);
  const isForeign = read.reason !== undefined && knownReason(peerError) === undefined;
  return create(reason, toMessage(message, code, options), {
    ...fromAnswer(options, read.retryAfterMs),
    code,
    status,
    metadata: { ...read.metadata, ...(isForeign && { peerReason: read.reason ?? '' }) },
    retryable: read.retryable,
    violations: read.violations,
    chain: hasPlainCodes ? read.chain.map(nameReason) : read.chain,
    details: read.details,
  });
}

/** Agents of the plain dialect name no reasons. */
function nameReason(link: ErrorLink): ErrorLink {
  const { code, reason } = link.downstreamError;
  const known = reason === 'UNKNOWN' ? (reasonInDialect(code) ?? reasonOfCode(code)) : undefined;
  return known === undefined ? link : { ...link, downstreamError: { ...link.downstreamError, reason: known } };
}

function create(reason: ErrorReason, message: string, options: A2AErrorOptions): A2AError {
  return new A2AError(reason, message, options);
}

/** The facts of the response itself, independent of its body. */
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

/** JSON-RPC errors also come with status 200, which has no meaning for the error. */
function failureStatus({ httpStatus }: ReadErrorOptions): number | undefined {
  return httpStatus !== undefined && httpStatus >= 300 ? httpStatus : undefined;
}

const PHRASES: Readonly<Partial<Record<ErrorReason, string>>> = {
  AUTH_REQUIRED: 'the agent requires authentication',
  INSUFFICIENT_SCOPE: 'the agent does not allow this request',
  METHOD_NOT_FOUND: 'nothing is served at this address',
  TASK_TIMEOUT: 'the request timed out',
  CONTENT_TOO_LARGE: 'the request is too large',
  CONTENT_TYPE_NOT_SUPPORTED: 'the agent does not accept this content type',
  RATE_LIMITED: 'the agent received too many requests',
  AGENT_UNAVAILABLE: 'the agent is not available',
  INVALID_AGENT_RESPONSE: 'the response contains no result',
};

/** The response contains no error: the status is all there is. */
function unreadable(options: ReadErrorOptions, text = ''): A2AError {
  const { httpStatus } = options;
  const reason = httpStatus === undefined ? 'INTERNAL_ERROR' : classifyStatus(httpStatus);
  const phrase = PHRASES[reason] ?? 'the agent failed';
  const quoted = text === '' || text.startsWith('<') ? '' : `: ${cutText(text, MAX_QUOTED)}`;
  const message = httpStatus === undefined ? 'The agent sent an error that cannot be read' : `HTTP ${httpStatus}, ${phrase}${quoted}`;
  return create(reason, message, { ...fromAnswer(options), details: [] });
}

function toMessage(message: unknown, code: number | undefined, { httpStatus }: ReadErrorOptions): string {
  if (typeof message === 'string' && message !== '') return cutText(message, MAX_MESSAGE);
  return `The agent returned an error without a message (code ${code ?? httpStatus ?? 'unknown'})`;
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

/** Values that JSON cannot represent (cycles, getters that throw, endless nesting) must not cause a second error. */
function guarded(options: ReadErrorOptions, read: () => A2AError): A2AError {
  try {
    return read();
  } catch (cause) {
    const message = 'The agent sent an error that cannot be read';
    return create('INTERNAL_ERROR', message, { cause, peer: options.peer ?? 'unknown', httpStatus: failureStatus(options), details: [] });
  }
}
