/** CORS: cross-origin calls from browsers. Off unless the host lists the allowed origins. */
import { A2AError } from '../protocol/errors.js';
import { type Security, toCardSecurity } from '../protocol/security.js';
import type { WireReply, WireRequest } from '../wire/http.js';
import type { CorsOptions } from './options.js';

export const CORS_ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'idempotency-key',
  'x-idempotency-key',
  'last-event-id',
  'x-request-id',
  'traceparent',
  'tracestate',
] as const;

export const CORS_EXPOSED_HEADERS = [
  'a2a-extensions',
  'x-a2a-extensions',
  'x-request-id',
  'retry-after',
  'www-authenticate',
  'etag',
] as const;

/** A header name is a token of RFC 9110. A browser ignores the whole list if one name in it is malformed. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const NO_SNIFF = { 'x-content-type-options': 'nosniff' };

export interface Cors {
  allows(origin: string): boolean;
  /** The reply to a preflight request; undefined if the request is not a preflight. */
  preflight(request: WireRequest): WireReply | undefined;
  /** Adds the headers that allow the page to read the reply. */
  open(request: WireRequest, reply: WireReply): WireReply;
}

/** `security`: the schemes that the card declares; the headers of its API keys are allowed. */
export function createCors({ origins, headers = [] }: CorsOptions, security?: Security): Cors {
  if (origins !== '*' && typeof origins !== 'function' && !Array.isArray(origins)) {
    throw new A2AError('INVALID_PARAMS', "cors needs { origins }: a list, a function or '*'");
  }
  const allowedHeaders = listHeaders(headers, security).join(', ');
  const isAllowed = (origin: string): boolean => {
    if (typeof origins === 'function') return origins(origin);
    return origins === '*' || origins.includes(origin) || origins.includes('*');
  };
  const allowed = (request: WireRequest): string | undefined => {
    const origin = request.header('origin');
    return origin !== undefined && isAllowed(origin) ? origin : undefined;
  };
  return {
    allows: isAllowed,
    preflight(request) {
      if (request.method !== 'OPTIONS' || request.header('access-control-request-method') === undefined) return undefined;
      const origin = allowed(request);
      return { status: 204, headers: origin === undefined ? NO_SNIFF : preflightHeaders(origin, allowedHeaders), body: '' };
    },
    open(request, reply) {
      // Also without an origin: a cache must not give this reply to a page that has one.
      const vary = addToVary(reply.headers.vary);
      const origin = allowed(request);
      if (origin === undefined) return { ...reply, headers: { ...reply.headers, vary } };
      const exposed = CORS_EXPOSED_HEADERS.join(', ');
      const headers = { ...reply.headers, vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed };
      return { ...reply, headers };
    },
  };
}

function listHeaders(headers: readonly string[], security: Security | undefined): readonly string[] {
  if (!Array.isArray(headers)) throw new A2AError('INVALID_PARAMS', `cors.headers must be a list of header names, got ${show(headers)}`);
  const names = [...CORS_ALLOWED_HEADERS, ...keyHeaders(security), ...headers];
  const wrong = names.find((name) => typeof name !== 'string' || !HEADER_NAME.test(name));
  if (wrong !== undefined)
    throw new A2AError('INVALID_PARAMS', `cors cannot allow the header ${show(wrong)}: it is not a valid header name`);
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** A browser blocks a page that sends an API key in a custom header, unless the preflight allows that header. */
function keyHeaders(security: Security | undefined): readonly string[] {
  const schemes = security === undefined ? {} : (toCardSecurity(security).securitySchemes ?? {});
  return Object.values(schemes).flatMap(({ apiKeySecurityScheme: key }) => (key?.location === 'header' ? [key.name] : []));
}

/** Each name once: the reply may already have the header, for example from a route of the host. */
function addToVary(vary: string | undefined): string {
  const names = (vary ?? '').split(',').map((name) => name.trim());
  const known = new Map([...names.filter((name) => name !== ''), 'Origin'].map((name) => [name.toLowerCase(), name]));
  return known.has('*') ? '*' : [...known.values()].join(', ');
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function preflightHeaders(origin: string, allowedHeaders: string): Record<string, string> {
  return {
    ...NO_SNIFF,
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': '7200',
  };
}
