/**
 * HTTP over Node's own client with pooled connections. A call costs a fraction of a `fetch`. Waiting for a connection, connecting and
 * writing each have their own timeout, which `fetch` cannot distinguish.
 */

import { Agent as HttpAgent, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import type { AsyncDisposal } from '../../platform/async-disposal.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { checkHeaders } from '../transports/check-headers.js';
import type { Exchange, HttpRequest, HttpResponse } from '../transports/exchange.js';
import { createIdleSockets } from './idle-sockets.js';
import { PooledRequest } from './pooled-request.js';
import { toRawHeaders } from './raw-headers.js';

/** Options of `pooled`: limits of the connections, and TLS settings. */
export interface PoolOptions {
  /** Maximum connections per origin; an open stream holds one. Default 256. Infinity: no limit. */
  readonly maxConnections?: number;
  /**
   * How long an idle connection is kept. Default 4,000: servers keep theirs longer, so a connection is rarely used while the server closes
   * it.
   */
  readonly keepAliveMs?: number;
  /** For https: a private certificate authority, or a client certificate for mutual TLS. Default: the settings of Node. */
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'>;
  /** Measures timeouts, and how long connections are idle. Default: the system clock. */
  readonly clock?: Clock;
}

/** A connection pool that clients share. Pass it as `exchange` to `createClient`. */
export interface Pool extends Exchange, AsyncDisposal {
  /**
   * Closes every connection, including those in use. Closing a client does not close the pool that it was given, because other clients may
   * use it.
   */
  close(): Promise<void>;
}

/** Creates a connection pool. Pass it to `createClient` as `exchange`; several clients can share it. */
export function pooled(options: PoolOptions = {}): Pool {
  const { maxConnections = 256, keepAliveMs = 4_000, clock = systemClock, tls = {} } = options;
  check('maxConnections', maxConnections, maxConnections === Number.POSITIVE_INFINITY);
  check('keepAliveMs', keepAliveMs);
  // Last in, first out: the other connections become idle and close when traffic is low.
  const shared = { keepAlive: true, timeout: keepAliveMs, maxSockets: maxConnections, scheduling: 'lifo' } as const;
  const http = new HttpAgent(shared);
  const https = new HttpsAgent({ ...shared, ...tls });
  const kept = { clock, keepAliveMs };
  const idle = { http: createIdleSockets(http, kept), https: createIdleSockets(https, kept) };
  const targetOf = createTargets();
  let closed = false;

  const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
    if (closed) throw new A2AError('INVALID_REQUEST', 'This connection pool is closed');
    const { secure, where, authority } = targetOf(request.url);
    const { method } = request;
    return new PooledRequest(request, { clock, secure }).send(() => {
      const headers = toRawHeaders(request, authority);
      idle[secure ? 'https' : 'http'].dropStale();
      try {
        return (secure ? requestHttps : requestHttp)({ ...where, method, headers, agent: secure ? https : http });
      } catch (cause) {
        checkHeaders(request);
        throw new A2AError('INVALID_REQUEST', 'Node refuses to send this request', { cause });
      }
    });
  };
  const close = async (): Promise<void> => {
    closed = true;
    http.destroy();
    https.destroy();
  };
  return Object.assign(exchange, { close, [Symbol.asyncDispose]: close });
}

function check(name: string, value: number, isAllowed = false): void {
  if (isAllowed || (Number.isInteger(value) && value >= 1)) return;
  throw new A2AError('INVALID_PARAMS', `${name} must be a whole number above 0, got ${value}`);
}

interface Target {
  readonly secure: boolean;
  readonly authority: string;
  readonly where: Pick<RequestOptions, 'host' | 'port' | 'path' | 'auth'>;
}

/** A client calls few URLs repeatedly, so the last parsed one is cached. */
function createTargets(): (url: string) => Target {
  let last: { readonly url: string; readonly target: Target } | undefined;
  return (url) => {
    if (last?.url !== url) last = { url, target: toTarget(url) };
    return last.target;
  };
}

function toTarget(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new A2AError('INVALID_PARAMS', `${JSON.stringify(text)} is not an http or https URL`);
  }
  // A URL has an IPv6 address in brackets; the socket needs it without.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { secure: url.protocol === 'https:', authority: url.host, where: { host, port: url.port, path: `${url.pathname}${url.search}` } };
}
