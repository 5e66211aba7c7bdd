/**
 * Executors need not await what they publish: a rejection surfaces at the next call or at the end of the run, never as an unhandled
 * rejection.
 */
import type { A2AError } from '../protocol/errors.js';

export function ignorable<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

export const refused = (error: A2AError): Promise<never> => ignorable(Promise.reject(error));
