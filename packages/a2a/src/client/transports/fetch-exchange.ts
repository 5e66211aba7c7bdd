/** HTTP by `fetch`: the platform's, or one that is given. */

import { isNode } from '../../platform/is-node.js';
import { originOf } from '../../platform/origin.js';
import { abortedBy } from '../../platform/until-aborted.js';
import { A2AError, A2ATransportError, isA2AError } from '../../protocol/errors.js';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.js';
import { FetchResponse } from './fetch-response.js';
import { toExchangeError } from './network-failure.js';

export interface FetchExchangeOptions {
  /** Default: the platform's, looked up at each call, so that one that is set later counts. */
  readonly fetch?: typeof fetch | undefined;
  /** Passed to every fetch: `credentials`, `mode`, `cache` and the like. */
  readonly fetchOptions?: Omit<RequestInit, 'headers' | 'body' | 'method' | 'signal'> | undefined;
}

/** Redirects are not followed here: what a redirect may do with a request is decided where more is known about it. */
export function fetchExchange(options: FetchExchangeOptions = {}): Exchange {
  const { fetch: given } = options;
  if (given !== undefined && typeof given !== 'function') throw new A2AError('INVALID_PARAMS', 'fetch must be a function');
  const base: RequestInit = { ...options.fetchOptions, redirect: given === undefined && isNode() ? 'error' : 'manual' };
  return async (request) => {
    const { signal } = request;
    if (signal?.aborted) throw abortedBy(signal);
    // Called by a name of its own: the platform's refuses to be called as a method of another object.
    const call = given ?? globalThis.fetch;
    try {
      const response = await callWith(call, request, base);
      return toResponse(response, request);
    } catch (thrown) {
      if (!isA2AError(thrown) && !signal?.aborted) checkHeaders(request);
      throw toExchangeError(thrown, { signal, answered: false, url: request.url });
    }
  };
}

/**
 * Node copies the body of every request that may be redirected, which costs a fifth of a call. One that may not be is sent as it is; the
 * rare server that redirects it is asked once more, to be looked at: what it redirects it has not carried out.
 */
function callWith(call: typeof fetch, request: HttpRequest, base: RequestInit): Promise<Response> {
  const asked = call(request.url, toInit(base, request));
  if (base.redirect === 'manual') return asked;
  return asked.catch((thrown: unknown) => {
    if (!isRedirect(thrown)) throw thrown;
    return call(request.url, toInit({ ...base, redirect: 'manual' }, request));
  });
}

function isRedirect(thrown: unknown): boolean {
  return thrown instanceof TypeError && thrown.cause instanceof Error && thrown.cause.message === 'unexpected redirect';
}

/** All that the client sets comes last, absent or not: casting can not smuggle a body, a header or a signal in. */
function toInit(base: RequestInit, { method, headers, body, signal }: HttpRequest): RequestInit {
  return { ...base, method, headers: headers as Record<string, string>, body: body ?? null, signal: signal ?? null };
}

function toResponse(response: Response, { url, signal }: HttpRequest): HttpResponse {
  if (response.type !== 'opaqueredirect') return new FetchResponse(response, signal);
  // Browsers do not say where to, so nobody can tell whether the request may go there.
  const message = `${originOf(url)} answered with a redirect, which a browser does not let the client look at: use the address it leads to`;
  throw new A2ATransportError('network', message, { sent: true, retryable: false });
}

/** The platform's own words would quote the value, which may be a secret. */
function checkHeaders({ headers }: HttpRequest): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue;
    throw new A2AError('INVALID_REQUEST', `The header ${JSON.stringify(name.slice(0, 64))} holds characters that HTTP does not allow`);
  }
}
