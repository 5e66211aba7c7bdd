import type { RequestContext } from '@parley/a2a/server';

/** Waits by the agent's clock. Rejects as soon as the task is canceled. */
export function pause({ clock, signal }: Pick<RequestContext, 'clock' | 'signal'>, delayMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const leave = (): void => {
      stopClock();
      reject(signal.reason);
    };
    const stopClock = clock.after(delayMs, () => {
      signal.removeEventListener('abort', leave);
      resolve();
    });
    signal.addEventListener('abort', leave, { once: true });
  });
}
