/** The address at which callers reach the agent, for its card. */
import { A2AError } from '../protocol/errors.js';
import type { WireRequest } from '../wire/http.js';

export interface Address {
  /** Without trailing slash. */
  readonly url: string;
  /** The request headers that it depends on, for caches; absent when it is fixed. */
  readonly vary?: string;
}

export interface AddressOptions {
  readonly publicUrl: string | undefined;
  readonly ownUrl: () => string | undefined;
  readonly trustProxy: boolean;
  readonly basePath: string;
}

// Any other Host header is an attack or a mistake, and would end up in the card.
const SANE_ORIGIN = /^https?:\/\/[\w.~:[\]-]+(\/[\w.~%/-]*)?$/;

export function addressOf(request: WireRequest, { publicUrl, ownUrl, trustProxy, basePath }: AddressOptions): Address {
  if (publicUrl !== undefined) return { url: publicUrl };
  const own = ownUrl();
  if (own !== undefined) return { url: `${own}${basePath}` };
  const origin = trustProxy ? forwardedOrigin(request) : request.origin;
  const vary = trustProxy ? 'Host, X-Forwarded-Host, X-Forwarded-Proto' : 'Host';
  if (SANE_ORIGIN.test(origin)) return { url: `${origin}${basePath}`, vary };
  throw new A2AError('INVALID_REQUEST', `The address in the headers is not valid (${vary}); correct it, or set publicUrl on the server`);
}

/** Each proxy appends a value; the first one is the host that the caller used. */
function forwardedOrigin(request: WireRequest): string {
  const [, scheme = 'http', rest = ''] = /^(https?):\/\/(.*)$/.exec(request.origin) ?? [];
  const [host = '', ...path] = rest.split('/');
  const proto = first(request.header('x-forwarded-proto'))?.toLowerCase() ?? scheme;
  return [`${proto}://${first(request.header('x-forwarded-host')) ?? host}`, ...path].join('/');
}

function first(header: string | undefined): string | undefined {
  const value = header?.split(',')[0]?.trim();
  return value === '' ? undefined : value;
}
