/** HTTP by `fetch`: the platform's, or one that is given. */

import { isNode } from '../../platform/is-node.js';
import { originOf } from '../../platform/origin.js';
import { abortedBy } from '../../platform/until-aborted.js';
import { A2AError, A2ATransportError, isA2AError } from '../../protocol/errors.js';
import { checkHeaders } from './check-headers.js';
import { crossOriginHint } from './cross-origin.js';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.js';
import { FetchResponse } from './fetch-response.js';
import { toExchangeError } from './network-failure.js';

export interface FetchExchangeOptions {
  /** Default: the platform's, looked up at each call, so that one that is set later counts. */
  readonly fetch?: typeof fetch | undefined;
  /** Passed to every fetch: `credentials`, `mode`, `cache` and the like. */
  readonly fetchOptions?: Omit<RequestInit, 'headers' | 'body' | 'method' | 'signal'> | undefined;
}

/**
 * Redirects are not followed here: what a redirect may do with a request is decided where more is known about it. Node copies the body of
 * every request that may be redirected, which costs a fifth of a call. One that may not be is sent as it is; the rare server that redirects
 * it is asked once more, to be looked at: what it redirects it has not carried out.
 */
export function fetchExchange(options: FetchExchangeOptions = {}): Exchange {
  const { fetch: given } = options;
  const fetchOptions = options.fetchOptions && { ...options.fetchOptions };
  if (given !== undefined && typeof given !== 'function') throw new A2AError('INVALID_PARAMS', 'fetch must be a function');
  const ask = (request: HttpRequest, redirect: 'error' | 'manual'): Promise<HttpResponse> =>
    callWith(given ?? globalThis.fetch, request.url, toInit(request, redirect, fetchOptions)).then(
      (response) => toResponse(response, request),
      (thrown) => {
        if (redirect === 'error' && isRedirect(thrown)) return ask(request, 'manual');
        throw toFailure(thrown, request, fetchOptions?.credentials);
      },
    );
  const first = given === undefined && isNode() ? 'error' : 'manual';
  return (request) => (request.signal?.aborted ? Promise.reject(abortedBy(request.signal)) : ask(request, first));
}

/** By a name of its own: the platform's refuses to be called as a method of another object. Others may throw instead of rejecting. */
function callWith(call: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return Promise.resolve(call(url, init));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

function isRedirect(thrown: unknown): boolean {
  return thrown instanceof TypeError && thrown.cause instanceof Error && thrown.cause.message === 'unexpected redirect';
}

/** All that the client sets comes last, absent or not: casting can not smuggle a body, a header or a signal in. */
function toInit(request: HttpRequest, redirect: 'error' | 'manual', more: RequestInit | undefined): RequestInit {
  const { method, headers, body, signal } = request;
  const init = { redirect, method, headers: headers as Record<string, string>, body: body ?? null, signal: signal ?? null };
  return more === undefined ? init : { ...more, ...init };
}

function toResponse(response: Response, { url, signal }: HttpRequest): HttpResponse {
  const answer = new FetchResponse(response, signal);
  // What is hidden has no status; on Node the type costs as much as all else here.
  if (answer.status !== 0 || response.type !== 'opaqueredirect') return answer;
  // Browsers do not say where to, so nobody can tell whether the request may go there.
  const message = `${originOf(url)} answered with a redirect, which a browser does not let the client look at: use the address it leads to`;
  throw new A2ATransportError('network', message, { sent: true, retryable: false });
}

function toFailure(thrown: unknown, request: HttpRequest, credentials: unknown): A2AError {
  const { signal, url } = request;
  if (!isA2AError(thrown) && !signal?.aborted) checkHeaders(request);
  return toExchangeError(thrown, { signal, answered: false, url, hint: () => crossOriginHint(request, credentials) });
}
