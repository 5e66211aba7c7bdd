/** How many streams there may be: on one task, and of one caller. */
import { A2AError } from '../../protocol/errors.js';
import type { TaskRef } from '../../stores/store.js';
import { ANONYMOUS, type Caller } from '../call.js';
import type { Runtime } from './runtime.js';

/** Throws when one more stream on this task, or of its owner, is too many. */
export function checkReaders(runtime: Runtime, ref: TaskRef): void {
  const { log, settings } = runtime;
  checkReadersOf(runtime, { id: ref.owner });
  if (log.hub.countStreams(ref) >= settings.maxReadersPerTask) throw tooMany(`task ${ref.id} has`, settings.maxReadersPerTask);
}

/** Throws when one more stream of this caller is too many. Those without a name are many people under one id. */
export function checkReadersOf({ log, settings }: Runtime, { id }: Caller): void {
  if (id === ANONYMOUS.id || log.hub.countStreamsOf(id) < settings.maxReadersPerCaller) return;
  throw tooMany('you have', settings.maxReadersPerCaller);
}

const tooMany = (who: string, count: number): A2AError =>
  new A2AError('RATE_LIMITED', `${who} ${count} open streams, no more are taken`, { retryAfterMs: 1_000 });
