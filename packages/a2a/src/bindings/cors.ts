/** Cross-origin calls from browsers. Off unless the host names who may. */
import { A2AError } from '../protocol/errors.js';
import type { WireReply, WireRequest } from '../wire/http.js';
import type { CorsOptions } from './options.js';

export const CORS_ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'a2a-version',
  'a2a-extensions',
  'idempotency-key',
  'x-idempotency-key',
  'last-event-id',
  'x-request-id',
  'traceparent',
  'tracestate',
] as const;

export const CORS_EXPOSED_HEADERS = ['a2a-extensions', 'x-request-id', 'retry-after', 'www-authenticate', 'etag'] as const;

export interface Cors {
  /** The answer to a browser's question whether it may; undefined when this is no such question. */
  preflight(request: WireRequest): WireReply | undefined;
  /** The reply with what lets the page read it. */
  open(request: WireRequest, reply: WireReply): WireReply;
}

export function createCors({ origins }: CorsOptions): Cors {
  if (origins !== '*' && typeof origins !== 'function' && !Array.isArray(origins)) {
    throw new A2AError('INVALID_PARAMS', "cors needs { origins }: a list, a function or '*'");
  }
  const isAllowed = (origin: string): boolean => {
    if (typeof origins === 'function') return origins(origin);
    return origins === '*' || origins.includes(origin) || origins.includes('*');
  };
  const allowed = (request: WireRequest): string | undefined => {
    const origin = request.header('origin');
    return origin !== undefined && isAllowed(origin) ? origin : undefined;
  };
  return {
    preflight(request) {
      if (request.method !== 'OPTIONS' || request.header('access-control-request-method') === undefined) return undefined;
      const origin = allowed(request);
      return { status: 204, headers: origin === undefined ? { vary: 'Origin' } : preflightHeaders(origin), body: '' };
    },
    open(request, reply) {
      // Also without an origin: a cache must not hand this reply to a page that has one.
      const vary = reply.headers.vary === undefined ? 'Origin' : `${reply.headers.vary}, Origin`;
      const origin = allowed(request);
      if (origin === undefined) return { ...reply, headers: { ...reply.headers, vary } };
      const exposed = CORS_EXPOSED_HEADERS.join(', ');
      const headers = { ...reply.headers, vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed };
      return { ...reply, headers };
    },
  };
}

function preflightHeaders(origin: string): Record<string, string> {
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
    'access-control-allow-headers': CORS_ALLOWED_HEADERS.join(', '),
    'access-control-max-age': '7200',
  };
}
