import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { ClientReply } from '../call.js';
import { type HeldSignal, holdSignal, releaseAfter } from './held-signal.js';

export interface CutOff {
  readonly clock: Clock;
  /** Infinity: no limit. */
  readonly afterMs: number;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** Returns the error with which the work is rejected at the limit. */
  timeout(): A2AError;
}

/** Work with a signal of its own. `lift` removes the time limit. */
export type LimitedWork<T> = (signal: AbortSignal, lift: () => void) => Promise<T>;

/** Runs work with a time limit. At the limit its signal is aborted and a late result is ignored. */
export async function cutOff<T>(limit: CutOff, work: LimitedWork<T>): Promise<T> {
  const held = holdSignal(limit.signal);
  try {
    return await inTime(limit, held, { work, forget: () => {} });
  } finally {
    held.release();
  }
}

/** Like `cutOff`, for a call. A stream keeps the caller's signal while it is read, and is closed if it opens too late. */
export async function cutOffCall(limit: CutOff, work: LimitedWork<ClientReply>): Promise<ClientReply> {
  const held = holdSignal(limit.signal);
  try {
    return releaseAfter(await inTime(limit, held, { work, forget }), () => held.release());
  } catch (error) {
    held.release();
    throw error;
  }
}

function forget(reply: ClientReply): void {
  if (reply.kind === 'stream') reply.events.close();
}

interface Job<T> {
  readonly work: LimitedWork<T>;
  forget(late: T): void;
}

/** Settles when the work settles, the time limit is reached or the caller aborts, whichever is first. */
function inTime<T>({ clock, afterMs, timeout }: CutOff, held: HeldSignal, { work, forget }: Job<T>): Promise<T> {
  if (held.aborted) return Promise.reject(abortedBy(held));
  return new Promise((resolve, reject) => {
    let isOver = false;
    let stop = (): void => {};
    const end = (error: A2AError): void => {
      isOver = true;
      stop();
      reject(error);
    };
    held.onAbort(() => end(abortedBy(held)));
    if (afterMs !== Number.POSITIVE_INFINITY) {
      stop = clock.after(Math.max(0, afterMs), () => {
        const error = timeout();
        end(error);
        held.abort(error);
      });
    }
    work(held.signal, stop).then(
      (value) => {
        stop();
        if (isOver) forget(value);
        else resolve(value);
      },
      (error) => {
        stop();
        reject(error);
      },
    );
  });
}
