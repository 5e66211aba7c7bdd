import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';

/** Waits; rejects with ABORTED as soon as the signal says so. Leaves neither timer nor listener. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortedBy(signal));
      return;
    }
    const leave = (): void => {
      stop();
      reject(abortedBy(signal));
    };
    const stop = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    });
    signal?.addEventListener('abort', leave, { once: true });
  });
}

export function abortedBy(signal: AbortSignal | undefined): A2AError {
  return new A2AError('ABORTED', 'The caller left', { cause: signal?.reason });
}
