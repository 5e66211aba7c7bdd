/** Where secrets may be sent. */
import { isLoopback } from '../client/auth/origins.js';
import { originOf } from '../platform/origin.js';
import { A2AError, type ErrorReason } from '../protocol/errors.js';

export interface AddressRule {
  readonly allowInsecure: boolean;
  /** For the message. */
  readonly what: string;
  /** Default INVALID_PARAMS: the caller's own value. */
  readonly reason?: ErrorReason;
}

/** https:, or http: to this machine where that was allowed. */
export function checkedUrl(text: string, { allowInsecure, what, reason = 'INVALID_PARAMS' }: AddressRule): URL {
  const url = parse(text);
  if (url === undefined) throw new A2AError(reason, `${what} is no URL`);
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && allowInsecure && isLoopback(url.hostname)) return url;
  throw new A2AError(reason, `${what} must be https:, or http: on this machine with allowInsecure; it is at ${originOf(text)}`);
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
