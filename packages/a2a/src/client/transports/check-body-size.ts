import { A2AError } from '../../protocol/errors.js';
import type { ClientCall } from '../call.js';

/**
 * Throws CONTENT_TOO_LARGE when the body exceeds the limit that the card of the agent states: the agent would refuse it after it was sent.
 * Counts the bytes only near the limit: a UTF-16 unit is at most three bytes.
 */
export function checkBodySize({ peer, method }: ClientCall, body: string): void {
  const { maxBodyBytes } = peer.log;
  if (maxBodyBytes === undefined || body.length * 3 <= maxBodyBytes) return;
  const bytes = new TextEncoder().encode(body).length;
  if (bytes <= maxBodyBytes) return;
  throw new A2AError(
    'CONTENT_TOO_LARGE',
    `The request ${method} has ${bytes} bytes, and ${peer.name} accepts ${maxBodyBytes}: send less, or files as url parts`,
  );
}
