import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { ClientReply } from '../call.js';
import { holdSignal, releaseAfter } from './held-signal.js';
import { abortedBy } from './sleep.js';

export interface CutOff {
  readonly clock: Clock;
  /** Infinity: never. */
  readonly afterMs: number;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** What the call is rejected with when its time is over. */
  timeout(): A2AError;
}

/** Runs a call that ends in time: when the time is over its signal is aborted and nobody waits for what still comes of it. */
export async function cutOff(limit: CutOff, work: (signal: AbortSignal) => Promise<ClientReply>): Promise<ClientReply> {
  const held = holdSignal(limit.signal);
  try {
    return releaseAfter(await inTime(limit, held.abort, () => work(held.signal)), held.release);
  } catch (error) {
    held.release();
    throw error;
  }
}

function inTime({ clock, afterMs, signal, timeout }: CutOff, abort: (reason: unknown) => void, work: () => Promise<ClientReply>) {
  if (afterMs === Number.POSITIVE_INFINITY) return work();
  return new Promise<ClientReply>((resolve, reject) => {
    let over = false;
    const stop = clock.after(afterMs, () => {
      over = true;
      const error = signal?.aborted === true ? abortedBy(signal) : timeout();
      reject(error);
      abort(error);
    });
    const settle = (reply: ClientReply): void => {
      stop();
      if (over) forget(reply);
      else resolve(reply);
    };
    work().then(settle, (error) => {
      stop();
      reject(error);
    });
  });
}

/** A stream that was opened too late has no reader. */
function forget(reply: ClientReply): void {
  if (reply.kind === 'stream') reply.events.close();
}
