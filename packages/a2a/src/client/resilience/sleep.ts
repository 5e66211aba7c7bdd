import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';

/** Waits; rejects as soon as the signal says so. Leaves neither timer nor listener. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortedBy(signal));
      return;
    }
    const stop = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    });
    const leave = (): void => {
      stop();
      if (signal !== undefined) reject(abortedBy(signal));
    };
    signal?.addEventListener('abort', leave, { once: true });
  });
}
