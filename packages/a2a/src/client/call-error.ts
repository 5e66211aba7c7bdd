import { abortedBy } from '../platform/until-aborted.js';
import { type A2AError, isA2AError, toA2AError } from '../protocol/errors.js';

/**
 * Converts any thrown value to an A2AError. Transports and interceptors of users may throw anything, including the abort reason of the
 * signal.
 */
export function toCallError(thrown: unknown, signal: AbortSignal | undefined): A2AError {
  return signal?.aborted && !isA2AError(thrown) ? abortedBy(signal) : toA2AError(thrown);
}
