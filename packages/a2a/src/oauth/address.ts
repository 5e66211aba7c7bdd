/** Where secrets may be sent. */
import { originOf } from '../client/auth/origins.js';
import { A2AError } from '../protocol/errors.js';

/** https:, or http: to this machine where that was allowed. */
export function checkedUrl(text: string, { allowInsecure, what }: { readonly allowInsecure: boolean; readonly what: string }): URL {
  const url = parse(text);
  if (url === undefined) throw new A2AError('INVALID_PARAMS', `${what} is no URL`);
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && allowInsecure && isLoopback(url.hostname)) return url;
  throw new A2AError('INVALID_PARAMS', `${what} must be https:, or http: on this machine with allowInsecure; it is at ${originOf(text)}`);
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
