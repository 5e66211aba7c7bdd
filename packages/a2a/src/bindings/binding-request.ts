/** One HTTP request, and the values that the bindings read from its headers. */
import { A2AError } from '../protocol/errors.js';
import { parseExtensions } from '../protocol/extensions.js';
import type { WireReply, WireRequest } from '../wire/http.js';

export interface BindingRequest {
  readonly request: WireRequest;
  /** Percent-encoded, below the base path, beginning with a slash. */
  readonly path: string;
  /** From the caller, or generated: used in the reply's header, in errors and in the log. */
  readonly requestId: string;
}

/** One protocol binding over HTTP. */
export interface Binding {
  /** Rejects when the request is refused before it was decoded. */
  answer(incoming: BindingRequest): Promise<WireReply>;
  /** The reply to a refused request. */
  refuse(incoming: BindingRequest, error: A2AError, headers?: Readonly<Record<string, string>>): WireReply;
}

// Ids end up in logs and headers of other systems: allow only letters, digits and common separators.
const SANE_ID = /^[\w.:@/+=-]{1,128}$/;

export function requestIdOf(request: WireRequest): string {
  const given = request.header('x-request-id');
  return given !== undefined && SANE_ID.test(given) ? given : crypto.randomUUID();
}

/** The requested version; the header takes precedence over the query parameter. */
export function versionOf(request: WireRequest): string | undefined {
  const given = request.header('a2a-version');
  if ((given !== undefined && given.trim() !== '') || request.query === '') return given;
  for (const [name, value] of new URLSearchParams(request.query)) if (name.toLowerCase() === 'a2a-version') return value;
  return given;
}

export function extensionsOf(request: WireRequest): readonly string[] {
  const header = request.header('a2a-extensions');
  return header === undefined ? [] : parseExtensions(header);
}

// W3C Trace Context. A malformed value is not forwarded: the next agent would refuse it or store it.
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

export function traceOf(request: WireRequest): string | undefined {
  const given = request.header('traceparent')?.trim();
  return given !== undefined && TRACEPARENT.test(given) ? given : undefined;
}

const MAX_KEY = 256;

/** The caller's key for this send, so that it can be repeated without a second execution. */
export function idempotencyKeyOf(request: WireRequest): string | undefined {
  const given = request.header('idempotency-key') ?? request.header('x-idempotency-key');
  if (given === undefined) return undefined;
  const key = given.trim();
  if (key !== '' && key.length <= MAX_KEY) return key;
  throw new A2AError('INVALID_REQUEST', `The Idempotency-Key must have 1 to ${MAX_KEY} characters, got ${key.length}`);
}

/** The media type of a header such as `Content-Type`, without parameters. */
export function mediaTypeOf(header: string | undefined): string {
  if (header === undefined) return '';
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}
