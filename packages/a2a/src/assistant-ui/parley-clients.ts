/** Parley's clients behind an `A2AClient`. */
import type { Client } from '../client/client.js';
import { createClient } from '../client/create-client.js';
import type { ClientOptions } from '../client/options.js';
import { A2AError } from '../protocol/errors.js';
import { toBasePath } from './addresses.js';
import type { A2AClientOptions, ParleyOptions } from './client-options.js';
import { cardFrom, type Discovery, discover } from './discovery.js';
import { type SkippedFrames, skippedFrames } from './skipped-frames.js';

export interface ParleyClients {
  /** Takes an event that it can not read for a stream that broke: right for whoever comes back for what was lost. */
  readonly strict: Client;
  /** Passes over such events, as the package does. */
  readonly forgiving: Client;
  readonly skipped: SkippedFrames;
}

// Pictures and files come in one piece; the package sets no limit at all.
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/** Throws Parley's INVALID_PARAMS when an option can not work. */
export function createParleyClients(options: A2AClientOptions, own: ParleyOptions): ParleyClients {
  const { baseUrl, basePath, tenant, fetchOptions, extensions = [] } = options;
  const url = toAbsolute(baseUrl);
  const discovery: Discovery = { home: { url, basePath: toBasePath(basePath) }, extensions };
  const common: ClientOptions = {
    // Which conversation a message belongs to is said with each; and a person who tries again is no storm to be protected from.
    contexts: false,
    breaker: false,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    ...own,
    ...(tenant ? { tenant } : {}),
    // As the package does, everything goes through `fetch`, on Node too: programs replace it there, and expect to see every request.
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

/** Asked for each time, also where it is an object: its owner may have put another token in. The types of bodies are ours to say. */
async function headersOf({ headers }: A2AClientOptions): Promise<Readonly<Record<string, string>>> {
  const given = typeof headers === 'function' ? await headers() : headers;
  return Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => !RESERVED.has(name.toLowerCase())));
}

const RESERVED: ReadonlySet<string> = new Set(['content-type', 'a2a-extensions']);

/** An address without a host is one of the page's own. */
export function isResolvable(baseUrl: string): boolean {
  return URL.canParse(baseUrl) || pageUrl() !== undefined;
}

function toAbsolute(baseUrl: string): string {
  if (typeof baseUrl !== 'string') throw new A2AError('INVALID_PARAMS', `baseUrl must be a text, got ${typeof baseUrl}`);
  if (URL.canParse(baseUrl)) return baseUrl;
  const page = pageUrl();
  if (page === undefined || !URL.canParse(baseUrl || '/', page))
    throw new A2AError(
      'INVALID_PARAMS',
      `baseUrl must be an absolute URL where there is no page, got ${JSON.stringify(baseUrl.slice(0, 200))}`,
    );
  return new URL(baseUrl || '/', page).href;
}

/** Looked up when it is needed: on a server that renders the page there is none. */
function pageUrl(): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly href?: string } };
  return location?.href !== undefined && /^https?:/.test(location.href) ? location.href : undefined;
}
