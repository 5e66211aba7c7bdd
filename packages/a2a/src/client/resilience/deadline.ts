import type { ClientInterceptor } from '../call.js';
import { narrowBudget } from './budget.js';
import { cutOffCall } from './cut-off.js';
import { timeoutError } from './timeout-error.js';
import { isStreaming } from './timeout-presets.js';
import type { ResilienceTools } from './tools.js';

/** Ends a call after `timeouts.totalMs`, with all its tries and waits, by aborting what is in flight. Streams have no total. */
export function deadline({ clock }: Pick<ResilienceTools, 'clock'>): ClientInterceptor {
  return (next) => (call) => {
    const { totalMs } = call.timeouts;
    if (totalMs === null || totalMs === undefined || isStreaming(call.method)) return next(call);
    const budget = narrowBudget(call.budget, clock.now() + totalMs, clock);
    const limit = { clock, afterMs: totalMs, signal: call.signal, timeout: () => timeoutError('total', totalMs) };
    return cutOffCall(limit, (signal) => next({ ...call, signal, budget }));
  };
}
