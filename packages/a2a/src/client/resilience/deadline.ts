import { isStreaming } from '../../protocol/methods.js';
import type { ClientCall, ClientInterceptor, ClientReply, Send } from '../call.js';
import { narrowBudget } from './budget.js';
import { timeoutError } from './timeout-error.js';
import type { ResilienceTools } from './tools.js';

/**
 * Ends a call after `timeouts.totalMs`, including all attempts and delays. The budget carries the deadline to every inner layer: delays
 * that would pass it are not started, and the exchange aborts the request in flight. Streams have no total.
 */
export function deadline({ clock }: Pick<ResilienceTools, 'clock'>, { guard = true }: DeadlineOptions = {}): ClientInterceptor {
  return (next) => (call) => {
    const { totalMs } = call.timeouts;
    if (totalMs === null || totalMs === undefined || isStreaming(call.method)) return next(call);
    const budget = narrowBudget(call.budget, clock.now() + totalMs, clock);
    // Credentials of a call are user code too, and may hang.
    return guard || call.credentials ? inTime(next, { ...call, budget }, { clock, totalMs }) : next({ ...call, budget });
  };
}

export interface DeadlineOptions {
  /** false if every inner layer observes the budget itself, as our own layers do, so that a second timer is not needed. Default true. */
  readonly guard?: boolean;
}

interface Total {
  readonly clock: ResilienceTools['clock'];
  readonly totalMs: number;
}

/** Rejects in time even if an inner layer hangs. */
function inTime(next: Send, call: ClientCall, { clock, totalMs }: Total): Promise<ClientReply> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(Math.max(0, call.budget.leftMs()), () => reject(timeoutError('total', totalMs)));
    next(call).then(
      (reply) => {
        stop();
        resolve(reply);
      },
      (error) => {
        stop();
        reject(error);
      },
    );
  });
}
