import { systemClock } from '../platform/system-clock.js';
import type { Clock } from '../protocol/clock.js';
import { cardUrlOf } from './card-url.js';

/** Options of `checkConnectivity`: the time limit, and how to send the request. */
export interface ConnectivityOptions {
  /** Milliseconds to wait for a response. Default 3,000. */
  readonly timeoutMs?: number;
  /** Sends the request. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Measures the time limit. Default: the system clock. */
  readonly clock?: Clock;
}

/** Returns true if a server responds at the URL of the agent's card, with any status, including 401. Never throws. */
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
    // Ends a hanging request and releases an unread body.
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
