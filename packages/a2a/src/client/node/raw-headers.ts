/** The headers of a request as Node takes them most cheaply: a list. Node checks an object name by name. */
import type { HttpRequest } from '../transports/exchange.js';
import { lowerCaseNames } from '../transports/lower-case-names.js';

/** The pool sets what concerns the connection and the length of the body. A caller that forwards the headers of another request has them in there. */
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

/** As Node's `fetch` sends them. Some gateways refuse requests without a user agent. Of `deflate` there are two kinds, so it is not asked for. */
const DEFAULTS: Readonly<Record<string, string>> = { 'user-agent': 'node', 'accept-encoding': 'gzip, br' };

/** Names and values in turn. Node adds neither host nor length to a list, so both are in it. */
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
