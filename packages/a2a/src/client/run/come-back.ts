/** Waits between a broken stream and the next one. */
import { type A2AError, A2AReconnectError } from '../../protocol/errors.js';
import type { Attempts, FailedAttempt } from './attempts.js';
import type { RunContext } from './context.js';
import type { Update } from './update.js';

/** The stream is broken, but the task continues. */
export interface Drop extends FailedAttempt {
  readonly kind: 'drop';
  readonly cause: A2AError;
}

export interface ComeBackOptions {
  readonly attempts: Attempts;
  /** The message itself may be sent again, so the task id need not be known. */
  readonly resend: boolean;
}

/** Waits until the next attempt. Returns false if no attempt is left. */
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
  const message = `The stream of ${taskId === undefined ? 'the message' : `task ${taskId}`} broke, and ${used} attempts to reconnect failed`;
  // Without a task id the task cannot be resumed, and a new run could do its work twice.
  return new A2AReconnectError({ attempts: used, taskId }, message, {
    cause,
    peer: peer.name,
    ...(taskId === undefined && { retryable: false }),
  });
}
