/**
 * What becomes of an answer that points elsewhere. A request carries what its caller is known by, in headers, in the URL and in the message
 * itself, so it never goes to another origin than the one it was made for.
 */
import { promiseOf } from '../../platform/promise-of.js';
import { A2ATransportError } from '../../protocol/errors.js';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.js';
import { toExchangeError } from './network-failure.js';

const MAX_STEPS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Exchanges, and follows redirects within the origin: those of GET, and those that keep the method (307, 308). Others reject. */
export function exchangeFollowing(exchange: Exchange, request: HttpRequest): Promise<HttpResponse> {
  // An exchange that somebody else wrote may not keep to the rule that its errors are ours.
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
        `a redirect to ${next.origin}, another origin, where the request must not go: use that address if it is right`,
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
  if (location === undefined || !URL.canParse(location, url)) throw refused(response, 'a redirect to nowhere');
  return new URL(location, url);
}

/** No credentials, no query: an address that a stranger chose is quoted only as far as it helps. */
function refused({ status }: HttpResponse, what: string): A2ATransportError {
  return new A2ATransportError('network', `The agent answered with ${what} (HTTP ${status})`, {
    sent: true,
    retryable: false,
    httpStatus: status,
  });
}
