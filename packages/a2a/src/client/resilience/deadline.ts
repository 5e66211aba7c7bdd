import { isStreaming } from '../../protocol/methods.js';
import type { ClientCall, ClientInterceptor, ClientReply, Send } from '../call.js';
import { narrowBudget } from './budget.js';
import { timeoutError } from './timeout-error.js';
import type { ResilienceTools } from './tools.js';

/**
 * Ends a call after `timeouts.totalMs`, with all its tries and waits. The budget tells every layer below when that is: waits that would pass
 * it are not begun, and the exchange gives up what is in flight. Streams have no total.
 */
export function deadline({ clock }: Pick<ResilienceTools, 'clock'>, { guard = true }: DeadlineOptions = {}): ClientInterceptor {
  return (next) => (call) => {
    const { totalMs } = call.timeouts;
    if (totalMs === null || totalMs === undefined || isStreaming(call.method)) return next(call);
    const budget = narrowBudget(call.budget, clock.now() + totalMs, clock);
    // Credentials that a call brings are somebody else's too.
    return guard || call.credentials ? inTime(next, { ...call, budget }, { clock, totalMs }) : next({ ...call, budget });
  };
}

export interface DeadlineOptions {
  /** false where everything below keeps the budget by itself, as our own layers do: a second timer would be for nothing. Default true. */
  readonly guard?: boolean;
}

interface Total {
  readonly clock: ResilienceTools['clock'];
  readonly totalMs: number;
}

/** Whatever layer hangs, the caller is told in time. */
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
