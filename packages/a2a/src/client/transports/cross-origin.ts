/**
 * Browsers hide why a request to another origin failed: a server that does not allow the page looks like one that is not there. The most
 * frequent cause is named, with what the server would have to say.
 */
import type { HttpRequest } from './exchange.js';

/** Headers that a page may send to another origin without asking first. Of the content types, those of our bindings are not among them. */
const SAFE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-language']);

/** What to add to the error of such a request; undefined outside of browsers, and for requests to the origin of the page. */
export function crossOriginHint({ url, method, headers }: HttpRequest, credentials: unknown): string | undefined {
  const page = pageOrigin();
  if (page === undefined || !URL.canParse(url) || new URL(url).origin === page) return undefined;
  const asked = Object.keys(headers).filter((name) => !SAFE_HEADERS.has(name));
  const needed = [`Access-Control-Allow-Origin: ${page}`];
  if (asked.length > 0) needed.push(`Access-Control-Allow-Headers: ${asked.sort().join(', ')}`);
  if (method === 'DELETE') needed.push(`Access-Control-Allow-Methods: ${method}`);
  if (credentials === 'include') needed.push('Access-Control-Allow-Credentials: true');
  return (
    `The browser does not say why. If the agent runs, the likely cause is CORS: the agent does not allow requests from ${page}. ` +
    `It has to answer, also to OPTIONS, with ${needed.join('; ')}`
  );
}

/** The origin of the page, or of the page of a worker; undefined where no browser checks origins. */
function pageOrigin(): string | undefined {
  if (!('document' in globalThis) && !('WorkerGlobalScope' in globalThis)) return undefined;
  const location: unknown = Reflect.get(globalThis, 'location');
  const origin: unknown = typeof location === 'object' && location !== null ? Reflect.get(location, 'origin') : undefined;
  return typeof origin === 'string' ? origin : undefined;
}
