/**
 * HTTP over Node's own client and kept connections: a call costs a fraction of what `fetch` costs, and waiting for a connection,
 * connecting and writing each have a time limit of their own, which `fetch` cannot tell apart.
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

export interface PoolOptions {
  /** Connections to one origin at a time; a stream holds one as long as it is open. Default 256; Infinity: no limit. */
  readonly maxConnections?: number;
  /** How long an unused connection is kept. Default 4,000: servers keep theirs longer, so a connection is rarely used while it closes. */
  readonly keepAliveMs?: number;
  /** For https: a private authority, or a certificate of your own for mutual TLS. */
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'>;
  readonly clock?: Clock;
}

export interface Pool extends Exchange, AsyncDisposal {
  /** Ends every connection, those in use too. Closing a client does not close the pool that was given to it: other clients may use it. */
  close(): Promise<void>;
}

/** Give it to `createClient` as `exchange`; several clients can share one. */
export function pooled(options: PoolOptions = {}): Pool {
  const { maxConnections = 256, keepAliveMs = 4_000, clock = systemClock, tls = {} } = options;
  check('maxConnections', maxConnections, maxConnections === Number.POSITIVE_INFINITY);
  check('keepAliveMs', keepAliveMs);
  // The connection used last is used first, so that the others can go when it is quiet.
  const shared = { keepAlive: true, timeout: keepAliveMs, maxSockets: maxConnections, scheduling: 'lifo' } as const;
  const http = new HttpAgent(shared);
  const https = new HttpsAgent({ ...shared, ...tls });
  const kept = { clock, keepAliveMs };
  const idle = { http: createIdleSockets(http, kept), https: createIdleSockets(https, kept) };
  const targetOf = createTargets();
  let closed = false;

  const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
    if (closed) throw new A2AError('INVALID_REQUEST', 'The connections of this client are closed');
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

/** A client calls few addresses again and again: the last is not parsed anew. */
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
    throw new A2AError('INVALID_PARAMS', `${JSON.stringify(text)} is no http or https address`);
  }
  // An IPv6 address is written in brackets, and connected to without.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { secure: url.protocol === 'https:', authority: url.host, where: { host, port: url.port, path: `${url.pathname}${url.search}` } };
}
