import { systemClock } from '../platform/system-clock.js';
import type { Clock } from '../protocol/clock.js';
import { cardUrlOf } from './card-url.js';

export interface ConnectivityOptions {
  /** Default 3,000. */
  readonly timeoutMs?: number;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

/** Whether somebody answers where the agent's card should be, whatever the answer: 401 is one too. Never throws. */
export async function checkConnectivity(url: string | URL, options: ConnectivityOptions = {}): Promise<boolean> {
  const { timeoutMs = 3_000, fetch: get = fetch, clock = systemClock } = options;
  const controller = new AbortController();
  let stop = (): void => {};
  const timeout = new Promise<false>((resolve) => {
    stop = clock.after(timeoutMs, () => resolve(false));
  });
  try {
    return await Promise.race([timeout, isAnswered(get, cardUrlOf(String(url)), controller.signal)]);
  } catch {
    return false;
  } finally {
    stop();
    // Lets go of a request that hangs, and of a body that nobody reads.
    controller.abort();
  }
}

async function isAnswered(get: typeof fetch, url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await get(url, { signal, headers: { accept: 'application/json' } });
    response.body?.cancel().catch(() => {});
    return true;
  } catch {
    return false;
  }
}
