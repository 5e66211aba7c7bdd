/** Limits the number of streams: per task, per caller and in total. */
import { A2AError } from '../../protocol/errors.js';
import type { TaskRef } from '../../stores/store.js';
import type { Share } from '../limits/share-counter.js';
import type { Runtime } from './runtime.js';

/** Throws when this caller, or all callers together, have too many streams for one more. */
export function checkReadersOf({ log }: Runtime, share: Share): void {
  log.hub.streams.check(share, 'open streams');
}

/** Throws RATE_LIMITED when this task has too many streams for one more. */
export function checkReadersAt({ log, settings }: Runtime, ref: TaskRef): void {
  const { maxReadersPerTask } = settings;
  if (log.hub.countStreams(ref) < maxReadersPerTask) return;
  const text = `task ${ref.id} has ${maxReadersPerTask} open streams, which is the limit; retry later`;
  throw new A2AError('RATE_LIMITED', text, { retryAfterMs: 1_000 });
}
