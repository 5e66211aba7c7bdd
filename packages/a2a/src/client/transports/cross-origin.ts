/**
 * Browsers hide why a request to another origin failed: a server that does not allow the page looks like a server that is down. The hint
 * names the most common cause and the headers that the server would have to send.
 */
import type { HttpRequest } from './exchange.js';

/**
 * Headers that a page may send to another origin without a preflight. `content-type` is missing, because the types of our bindings need
 * one.
 */
const SAFE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-language']);

/** Returns the text to add to the error of such a request. undefined outside of browsers, and for requests to the origin of the page. */
export function crossOriginHint({ url, method, headers }: HttpRequest, credentials: unknown): string | undefined {
  const page = pageOrigin();
  if (page === undefined || !URL.canParse(url) || new URL(url).origin === page) return undefined;
  const asked = Object.keys(headers).filter((name) => !SAFE_HEADERS.has(name));
  const needed = [`Access-Control-Allow-Origin: ${page}`];
  if (asked.length > 0) needed.push(`Access-Control-Allow-Headers: ${asked.sort().join(', ')}`);
  if (method === 'DELETE') needed.push(`Access-Control-Allow-Methods: ${method}`);
  if (credentials === 'include') needed.push('Access-Control-Allow-Credentials: true');
  return (
    `The browser does not say why. If the agent is running, the likely cause is CORS: the agent does not allow requests from ${page}. ` +
    `It must respond, also to OPTIONS, with ${needed.join('; ')}`
  );
}

/** Returns the origin of the page, or of the page of a worker. undefined if no browser checks origins. */
function pageOrigin(): string | undefined {
  if (!('document' in globalThis) && !('WorkerGlobalScope' in globalThis)) return undefined;
  const location: unknown = Reflect.get(globalThis, 'location');
  const origin: unknown = typeof location === 'object' && location !== null ? Reflect.get(location, 'origin') : undefined;
  return typeof origin === 'string' ? origin : undefined;
}
