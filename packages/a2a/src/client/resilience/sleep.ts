import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';

/** Waits, or rejects as soon as the signal aborts. Leaves neither a timer nor a listener. */
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
