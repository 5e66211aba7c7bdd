/** The Parley clients that an `A2AClient` uses. */
import type { Client } from '../client/client.js';
import { createClient } from '../client/create-client.js';
import type { ClientOptions } from '../client/options.js';
import { A2AError } from '../protocol/errors.js';
import { toBasePath } from './addresses.js';
import type { A2AClientOptions, ParleyOptions } from './client-options.js';
import { cardFrom, type Discovery, discover } from './discovery.js';
import { type SkippedFrames, skippedFrames } from './skipped-frames.js';

export interface ParleyClients {
  /** Treats an unreadable event as a broken stream, which suits callers that reconnect. */
  readonly strict: Client;
  /** Skips unreadable events, as react-a2a does. */
  readonly forgiving: Client;
  readonly skipped: SkippedFrames;
}

// Images and files arrive in one piece, and react-a2a has no limit at all.
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/** Throws Parley's INVALID_PARAMS for an invalid option. */
export function createParleyClients(options: A2AClientOptions, own: ParleyOptions): ParleyClients {
  const { baseUrl, basePath, tenant, fetchOptions, extensions = [] } = options;
  const url = toAbsolute(baseUrl);
  const discovery: Discovery = { home: { url, basePath: toBasePath(basePath) }, extensions };
  const common: ClientOptions = {
    // Retries of a user do not overload an agent.
    breaker: false,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    maxTaskBytes: MAX_RESPONSE_BYTES,
    ...own,
    ...(tenant ? { tenant } : {}),
    // All requests go through `fetch`, as in react-a2a, also on Node: programs replace it there and expect every request.
    ...(fetchOptions === undefined && own.exchange !== undefined ? {} : { fetchOptions: fetchOptions ?? {} }),
    extensions,
    headers: () => headersOf(options),
  };
  const interceptors = own.interceptors ?? [];
  const skipped = skippedFrames();
  const strict = createClient(url, { ...common, interceptors: [...interceptors, discover(discovery)] });
  const card = cardFrom((signal) => strict.card({ signal }));
  const forgiving = createClient(url, { ...common, interceptors: [...interceptors, card, skipped.interceptor], skipBadFrames: true });
  return { strict, forgiving, skipped };
}

/**
 * Read for each request, even from an object: the application may have changed the token in it. The client sets the RESERVED headers
 * itself.
 */
async function headersOf({ headers }: A2AClientOptions): Promise<Readonly<Record<string, string>>> {
  const given = typeof headers === 'function' ? await headers() : headers;
  return Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => !RESERVED.has(name.toLowerCase())));
}

const RESERVED: ReadonlySet<string> = new Set(['content-type', 'a2a-extensions']);

/** Whether the URL is absolute, or relative to a page that exists. */
export function isResolvable(baseUrl: string): boolean {
  return URL.canParse(baseUrl) || pageUrl() !== undefined;
}

function toAbsolute(baseUrl: string): string {
  if (typeof baseUrl !== 'string') throw new A2AError('INVALID_PARAMS', `baseUrl must be a string, got ${typeof baseUrl}`);
  if (URL.canParse(baseUrl)) return baseUrl;
  const page = pageUrl();
  if (page === undefined || !URL.canParse(baseUrl || '/', page))
    throw new A2AError(
      'INVALID_PARAMS',
      `baseUrl must be an absolute URL outside of a browser page, got ${JSON.stringify(baseUrl.slice(0, 200))}`,
    );
  return new URL(baseUrl || '/', page).href;
}

/** Looked up for each use: a server that renders the page has no location. */
function pageUrl(): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly href?: string } };
  return location?.href !== undefined && /^https?:/.test(location.href) ? location.href : undefined;
}
