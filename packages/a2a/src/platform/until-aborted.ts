/** Waits for a promise until a signal aborts. */
import { A2AError, isTransportError } from '../protocol/errors.js';

/** Settles like the promise, or rejects with ABORTED when the signal aborts first. The later outcome of the promise is ignored. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortedBy(signal));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The rejection of an aborted call. If a timeout aborted it, the reason of the signal is its error. */
export function abortedBy(signal: { readonly reason?: unknown } | undefined): A2AError {
  if (isTransportError(signal?.reason)) return signal.reason;
  return new A2AError('ABORTED', 'The call was aborted', { cause: signal?.reason });
}
