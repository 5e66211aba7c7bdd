/** Waiting for something until nobody wants it any more. */
import { A2AError, isTransportError } from '../protocol/errors.js';

/** The promise's outcome, or ABORTED as soon as the signal says so. What the promise becomes after that concerns nobody. */
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

/** What a call rejects with whose caller left. A time limit that gives up by aborting says so itself: its error is the reason. */
export function abortedBy(signal: { readonly reason?: unknown } | undefined): A2AError {
  if (isTransportError(signal?.reason)) return signal.reason;
  return new A2AError('ABORTED', 'The call was aborted', { cause: signal?.reason });
}
