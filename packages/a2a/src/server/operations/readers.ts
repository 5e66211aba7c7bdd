import { A2AError } from '../../protocol/errors.js';
import type { TaskRef } from '../../stores/store.js';
import type { Runtime } from './runtime.js';

/** Throws when one more stream on this task is too many. */
export function checkReaders({ log, settings }: Runtime, ref: TaskRef): void {
  if (log.hub.countStreams(ref) < settings.maxReadersPerTask) return;
  throw new A2AError('RATE_LIMITED', `task ${ref.id} has ${settings.maxReadersPerTask} readers, no more are taken`, {
    retryAfterMs: 1_000,
  });
}
