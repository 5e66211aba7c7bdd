import type { Clock } from '../protocol/clock.js';
import { unlessAborted } from './in-process.js';

/** Waits by the clock. Rejects as soon as the signal aborts, and leaves no timer behind. */
export async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  let stop = (): void => {};
  const passed = new Promise<void>((resolve) => {
    stop = clock.after(delayMs, resolve);
  });
  try {
    await unlessAborted(signal, passed);
  } finally {
    stop();
  }
}
