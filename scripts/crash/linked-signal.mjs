// AbortSignal.any would do, but on Node 20 what it makes may be collected before it aborts.
import { setMaxListeners } from 'node:events';

/**
 * A signal of its own that aborts with its parent, or after a time. Release it when it is not needed any more.
 * @param {AbortSignal} parent
 * @param {number} [limitMs]
 * @returns {{ signal: AbortSignal, release: () => void }}
 */
export function linkedSignal(parent, limitMs) {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const abort = () => controller.abort(parent.reason);
  const timer = limitMs === undefined ? undefined : setTimeout(() => controller.abort(new Error(`not through in ${limitMs} ms`)), limitMs);
  if (parent.aborted) abort();
  parent.addEventListener('abort', abort, { once: true });
  const release = () => {
    clearTimeout(timer);
    parent.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, release };
}
