/** One HTTP request on its way through, and what the bindings read from its headers. */
import { A2AError } from '../protocol/errors.js';
import { parseExtensions } from '../protocol/extensions.js';
import type { WireReply, WireRequest } from '../wire/http.js';

export interface Exchange {
  readonly request: WireRequest;
  /** Percent-encoded, below the base path, beginning with a slash. */
  readonly path: string;
  /** The caller's, or made here: in the reply's header, in errors and in the log. */
  readonly requestId: string;
}

/** One way to speak the protocol over HTTP. */
export interface Binding {
  /** Rejects when the request is refused before anything of it was understood. */
  answer(exchange: Exchange): Promise<WireReply>;
  /** The reply to such a request. */
  refuse(exchange: Exchange, error: A2AError, headers?: Readonly<Record<string, string>>): WireReply;
}

// Ids end up in logs and headers of other systems: letters, digits and the separators that ids are made of.
const SANE_ID = /^[\w.:@/+=-]{1,128}$/;

export function requestIdOf(request: WireRequest): string {
  const given = request.header('x-request-id');
  return given !== undefined && SANE_ID.test(given) ? given : crypto.randomUUID();
}

/** The version asked for; the header wins over the query parameter. */
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

// Of W3C Trace Context. What is not to be read is not passed on: the next agent would refuse it, or worse, write it down.
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

export function traceOf(request: WireRequest): string | undefined {
  const given = request.header('traceparent')?.trim();
  return given !== undefined && TRACEPARENT.test(given) ? given : undefined;
}

const MAX_KEY = 256;

/** What the caller calls this send, so that it can be sent again without being done again. */
export function idempotencyKeyOf(request: WireRequest): string | undefined {
  const given = request.header('idempotency-key') ?? request.header('x-idempotency-key');
  if (given === undefined) return undefined;
  const key = given.trim();
  if (key !== '' && key.length <= MAX_KEY) return key;
  throw new A2AError('INVALID_REQUEST', `The Idempotency-Key must have 1 to ${MAX_KEY} characters, it has ${key.length}`);
}

/** The media type of a header such as `Content-Type`, without parameters. */
export function mediaTypeOf(header: string | undefined): string {
  if (header === undefined) return '';
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}
