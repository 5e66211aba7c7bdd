/** Checks the addresses that receive secrets. */
import { isLoopback } from '../client/auth/origins.js';
import { originOf } from '../platform/origin.js';
import { A2AError, type ErrorReason } from '../protocol/errors.js';

export interface AddressRule {
  readonly allowInsecure: boolean;
  /** Names the value in the error message. */
  readonly what: string;
  /** Default INVALID_PARAMS, for a value that the caller gave. */
  readonly reason?: ErrorReason;
}

/** Accepts https:, and http: to the loopback host if `allowInsecure` is set. */
export function checkedUrl(text: string, { allowInsecure, what, reason = 'INVALID_PARAMS' }: AddressRule): URL {
  const url = parse(text);
  if (url === undefined) throw new A2AError(reason, `${what} is not a URL`);
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
