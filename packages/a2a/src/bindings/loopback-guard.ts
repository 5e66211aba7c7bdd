/** Protects a server that is bound to loopback from web pages: it often has no credentials, and would run what a page asks for. */
import { A2AError } from '../protocol/errors.js';
import type { WireRequest } from '../wire/http.js';
import type { Cors } from './cors.js';

/** The name in a Host header or a URL's authority, without port. */
function hostName(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.trim().toLowerCase()) ?? [];
  return name;
}

/** For names with or without brackets: `localhost`, 127.0.0.0/8 and `::1`. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Returns the check of the Host header: it allows loopback names and the host of `publicUrl`. With any other name, a web page could reach the
 * server by DNS rebinding.
 */
export function loopbackGuard(publicUrl: string | undefined): (host: string) => boolean {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const isServed = (name: string): boolean => isLoopbackName(name) || (published !== undefined && name === published);
  // Cache: most requests name the same host as the previous one.
  let last: { readonly host: string; readonly served: boolean } | undefined;
  return (host) => {
    if (last?.host !== host) last = { host, served: isServed(hostName(host)) };
    return last.served;
  };
}

/** Reading is harmless: the browser does not show the reply to a page that `cors` does not allow. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Returns the check of the origin: it throws for a request that a page of another origin sent. Requests of other programs have no such headers.
 * A browser lets any page send simple requests to localhost, such as a POST without a body.
 */
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
