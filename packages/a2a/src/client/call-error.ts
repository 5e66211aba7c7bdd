import { A2AError, isA2AError, toA2AError } from '../protocol/errors.js';

/** What a call rejects with whose caller left. */
export function aborted(signal: AbortSignal | undefined): A2AError {
  return new A2AError('ABORTED', 'The call was aborted', { cause: signal?.reason });
}

/** Transports and interceptors of users may throw anything, the signal's own reason among it. */
export function toCallError(thrown: unknown, signal: AbortSignal | undefined): A2AError {
  return signal?.aborted && !isA2AError(thrown) ? aborted(signal) : toA2AError(thrown);
}
