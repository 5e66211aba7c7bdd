/** Limits the number of streams, per task and per caller. */
import { A2AError } from '../../protocol/errors.js';
import type { TaskRef } from '../../stores/store.js';
import { ANONYMOUS, type Caller } from '../call.js';
import type { Runtime } from './runtime.js';

/** Throws RATE_LIMITED when this task or its owner has too many streams for one more. */
export function checkReaders(runtime: Runtime, ref: TaskRef): void {
  const { log, settings } = runtime;
  checkReadersOf(runtime, { id: ref.owner });
  if (log.hub.countStreams(ref) >= settings.maxReadersPerTask) throw tooMany(`task ${ref.id} has`, settings.maxReadersPerTask);
}

/**
 * Throws RATE_LIMITED when this caller has too many streams for one more. Anonymous callers are not limited: many people share their id.
 */
export function checkReadersOf({ log, settings }: Runtime, { id }: Caller): void {
  if (id === ANONYMOUS.id || log.hub.countStreamsOf(id) < settings.maxReadersPerCaller) return;
  throw tooMany('you have', settings.maxReadersPerCaller);
}

const tooMany = (who: string, count: number): A2AError =>
  new A2AError('RATE_LIMITED', `${who} ${count} open streams, which is the limit; retry later`, { retryAfterMs: 1_000 });
