/** Converts the headers to a flat list, the cheapest form for Node. Node would check an object name by name. */
import type { HttpRequest } from '../transports/exchange.js';
import { lowerCaseNames } from '../transports/lower-case-names.js';

/**
 * The pool sets the headers of the connection and of the body length. A caller that forwards the headers of another request passes them, so
 * they are dropped.
 */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Same defaults as Node's `fetch`. Some gateways refuse requests without a user agent. `deflate` is not requested, because two incompatible
 * forms exist.
 */
const DEFAULTS: Readonly<Record<string, string>> = { 'user-agent': 'node', 'accept-encoding': 'gzip, br' };

/** Returns names and values alternately. Node adds neither host nor length to a list, so both are added here. */
export function toRawHeaders({ headers: given, body, method }: HttpRequest, authority: string): string[] {
  const headers = lowerCaseNames(given);
  const raw = headers.host === undefined ? ['host', authority] : [];
  for (const name in headers) {
    if (!OF_THE_CONNECTION.has(name)) raw.push(name, headers[name] ?? '');
  }
  for (const name in DEFAULTS) {
    if (headers[name] === undefined) raw.push(name, DEFAULTS[name] ?? '');
  }
  if (body !== undefined) raw.push('content-length', String(Buffer.byteLength(body)));
  else if (method === 'POST') raw.push('content-length', '0');
  return raw;
}
