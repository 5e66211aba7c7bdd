/**
 * Handles redirects. A request carries the identity of its caller in headers, URL and message, so it is never sent to another origin than
 * the original one.
 */
import { promiseOf } from '../../platform/promise-of.js';
import { A2ATransportError } from '../../protocol/errors.js';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.js';
import { toExchangeError } from './network-failure.js';

const MAX_STEPS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends the request and follows redirects within the origin: those of GET, and those that keep the method (307, 308). Others reject. */
export function exchangeFollowing(exchange: Exchange, request: HttpRequest): Promise<HttpResponse> {
  // A custom exchange may reject with foreign errors.
  const fail = (thrown: unknown): never => {
    throw toExchangeError(thrown, { signal: request.signal, answered: false, url: request.url });
  };
  return promiseOf(exchange, request).then(
    (response) => (REDIRECTS.has(response.status) ? follow(exchange, request, response).catch(fail) : response),
    fail,
  );
}

async function follow(exchange: Exchange, request: HttpRequest, first: HttpResponse): Promise<HttpResponse> {
  let response = first;
  let { url } = request;
  for (let step = 1; REDIRECTS.has(response.status); step++) {
    response.discard();
    const next = targetOf(url, response);
    if (step > MAX_STEPS) throw refused(response, `more than ${MAX_STEPS} redirects, the last one to ${next.origin}`);
    if (next.origin !== new URL(url).origin) {
      throw refused(
        response,
        `a redirect to ${next.origin}, another origin, which the client does not follow: use that address if it is correct`,
      );
    }
    if (request.method !== 'GET' && response.status !== 307 && response.status !== 308) {
      throw refused(response, `a redirect of a ${request.method} to ${next.pathname}: use that address`);
    }
    url = next.href;
    response = await exchange({ ...request, url });
  }
  return response;
}

function targetOf(url: string, response: HttpResponse): URL {
  const location = response.header('location');
  if (location === undefined || !URL.canParse(location, url)) throw refused(response, 'a redirect without a valid location');
  return new URL(location, url);
}

/** The address was chosen by an untrusted server, so only its useful part is quoted: no credentials and no query. */
function refused({ status }: HttpResponse, what: string): A2ATransportError {
  return new A2ATransportError('network', `The agent responded with ${what} (HTTP ${status})`, {
    sent: true,
    retryable: false,
    httpStatus: status,
  });
}
