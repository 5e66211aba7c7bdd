// Replaces AbortSignal.any: on Node 20 the combined signal may be garbage-collected before it aborts.
import { setMaxListeners } from 'node:events';

/**
 * A signal that aborts with its parent, or after a time. Call `release` when it is no longer needed.
 * @param {AbortSignal} parent
 * @param {number} [limitMs]
 * @returns {{ signal: AbortSignal, release: () => void }}
 */
export function linkedSignal(parent, limitMs) {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const abort = () => controller.abort(parent.reason);
  const timer =
    limitMs === undefined ? undefined : setTimeout(() => controller.abort(new Error(`not finished within ${limitMs} ms`)), limitMs);
  if (parent.aborted) abort();
  parent.addEventListener('abort', abort, { once: true });
  const release = () => {
    clearTimeout(timer);
    parent.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, release };
}
