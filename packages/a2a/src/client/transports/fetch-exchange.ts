/** HTTP over `fetch`: the global one, or a given one. */

import { originOf } from '../../platform/origin.js';
import { abortedBy } from '../../platform/until-aborted.js';
import { A2AError, A2ATransportError, isA2AError } from '../../protocol/errors.js';
import { checkHeaders } from './check-headers.js';
import { crossOriginHint } from './cross-origin.js';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.js';
import { FetchResponse } from './fetch-response.js';
import { toExchangeError } from './network-failure.js';

/** Options of `fetchExchange`: your own `fetch`, and what is passed to it. */
export interface FetchExchangeOptions {
  /** Sends every request. Default: the global `fetch`, looked up on each call, so that a later replacement takes effect. */
  readonly fetch?: typeof fetch | undefined;
  /** Passed to every fetch: `credentials`, `mode`, `cache` and so on. Default: none. */
  readonly fetchOptions?: Omit<RequestInit, 'headers' | 'body' | 'method' | 'signal'> | undefined;
}

/**
 * Creates an exchange over `fetch`.
 * Redirects are never followed here: `fetch` would repeat a request without asking. `exchangeFollowing` reads the redirect and decides.
 */
export function fetchExchange(options: FetchExchangeOptions = {}): Exchange {
  const { fetch: given } = options;
  const fetchOptions = options.fetchOptions && { ...options.fetchOptions };
  if (given !== undefined && typeof given !== 'function') throw new A2AError('INVALID_PARAMS', 'fetch must be a function');
  return (request) => {
    if (request.signal?.aborted) return Promise.reject(abortedBy(request.signal));
    return callWith(given ?? globalThis.fetch, request.url, toInit(request, fetchOptions)).then(
      (response) => toResponse(response, request),
      (thrown) => {
        throw toFailure(thrown, request, fetchOptions?.credentials);
      },
    );
  };
}

/**
 * Called as a plain function, because the platform's fetch refuses to be a method of another object. Other implementations may throw
 * instead of rejecting.
 */
function callWith(call: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return Promise.resolve(call(url, init));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

/** The values of the client come last, even if absent, so that a cast cannot add a body, a header or a signal. */
function toInit(request: HttpRequest, more: RequestInit | undefined): RequestInit {
  const { method, headers, body, signal } = request;
  const init = {
    redirect: 'manual' as const,
    method,
    headers: headers as Record<string, string>,
    body: body ?? null,
    signal: signal ?? null,
  };
  return more === undefined ? init : { ...more, ...init };
}

function toResponse(response: Response, { url, signal }: HttpRequest): HttpResponse {
  const answer = new FetchResponse(response, signal);
  // A hidden redirect has status 0. Check the status first: on Node, reading the type costs as much as the rest of this function.
  if (answer.status !== 0 || response.type !== 'opaqueredirect') return answer;
  // Browsers hide the target, so the client cannot decide whether the request may go there.
  const message = `${originOf(url)} responded with a redirect, which a browser hides from the client: use the address it leads to`;
  throw new A2ATransportError('network', message, { sent: true, retryable: false });
}

function toFailure(thrown: unknown, request: HttpRequest, credentials: unknown): A2AError {
  const { signal, url } = request;
  if (!isA2AError(thrown) && !signal?.aborted) checkHeaders(request);
  return toExchangeError(thrown, { signal, answered: false, url, hint: () => crossOriginHint(request, credentials) });
}
