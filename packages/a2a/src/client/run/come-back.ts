/** Between a stream that is gone and the next. */
import { type A2AError, A2AReconnectError } from '../../protocol/errors.js';
import type { Attempts, FailedAttempt } from './attempts.js';
import type { RunContext } from './context.js';
import type { Update } from './update.js';

/** The stream is gone, and the task goes on. */
export interface Drop extends FailedAttempt {
  readonly kind: 'drop';
  readonly cause: A2AError;
}

export interface ComeBackOptions {
  readonly attempts: Attempts;
  /** The send itself may be repeated: no task need be known. */
  readonly resend: boolean;
}

/** Waits until it is time to try again; false when all attempts are spent. */
export async function* comeBack(context: RunContext, drop: Drop, { attempts, resend }: ComeBackOptions): AsyncGenerator<Update, boolean> {
  const { follower, life, calling, peer } = context;
  const { cause } = drop;
  if (follower.taskId === undefined && !resend) {
    const message = `The stream broke before the task was known, and sending the message again could do the work twice. ${cause.message}`;
    throw new A2AReconnectError({ attempts: 0 }, message, { cause, retryable: false, peer: peer.name });
  }
  const next = attempts.next(drop);
  if (next === undefined) return false;
  follower.markGap();
  const { view, seq } = follower;
  yield {
    kind: 'reconnect',
    ...next,
    cause,
    seq,
    get task() {
      return view?.task;
    },
  };
  await life.sleep(calling.settings.clock, next.delayMs);
  return true;
}

export function reconnectFailed({ follower, peer }: RunContext, attempts: Attempts, cause: A2AError): A2AReconnectError {
  const { taskId } = follower;
  const { used } = attempts;
  const message = `The stream of ${taskId === undefined ? 'the message' : `task ${taskId}`} broke, and ${used} attempts to come back failed`;
  // A task that is not known can not be come back to, and a run anew could do its work twice.
  return new A2AReconnectError({ attempts: used, taskId }, message, {
    cause,
    peer: peer.name,
    ...(taskId === undefined && { retryable: false }),
  });
}
