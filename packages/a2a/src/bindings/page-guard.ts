/**
 * Protects a server that is bound to loopback from web pages. A browser lets any page send simple requests to localhost, such as a POST
 * without a body, and a server without credentials would run them.
 */
import { A2AError } from '../protocol/errors.js';
import type { WireRequest } from '../wire/http.js';
import type { Cors } from './cors.js';

/** Reading is harmless: the browser does not show the reply to a page that `cors` does not allow. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Returns the check: it throws for a request that a page of another origin sent. Requests of other programs have no such headers. */
export function pageGuard(publicUrl: string | undefined, cors: Cors | undefined): (request: WireRequest) => void {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  const isOwn = (origin: string, request: WireRequest): boolean =>
    origin === published || (URL.canParse(origin) && new URL(origin).host === request.header('host')?.toLowerCase());
  return (request) => {
    const site = request.header('sec-fetch-site');
    const origin = request.header('origin');
    if ((site === undefined && origin === undefined) || SAFE_METHODS.includes(request.method)) return;
    // Pages cannot set this header. It also holds for a page whose own server forwards its requests to this one.
    if (site === 'same-origin' || site === 'none') return;
    if (origin !== undefined && (cors?.allows(origin) || (site === undefined && isOwn(origin, request)))) return;
    throw foreignPage(origin);
  };
}

function foreignPage(origin: string | undefined): A2AError {
  const page = origin === undefined ? 'A web page of another origin' : `A web page of ${origin}`;
  const text = `${page} called this server, which is bound to loopback: to allow it, start the server with cors: { origins: [...] }`;
  return new A2AError('INVALID_REQUEST', text, { httpStatus: 403 });
}
