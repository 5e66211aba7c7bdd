/** Polls the task until it stops: for agents without streaming, and if no stream can be opened. */
import { isInterrupted } from '../../protocol/task-state.js';
import type { Message, Task } from '../../protocol/types.js';
import { Attempts } from './attempts.js';
import { getTask, sendOnce } from './calls.js';
import { comeBack, reconnectFailed } from './come-back.js';
import { isDrop, type RunContext } from './context.js';
import { noAnswer } from './outcome.js';
import { type Stop, stopHere } from './stop.js';
import type { Update } from './update.js';

/**
 * Sends the message, if there is one, and polls. Without a message, the content of the first poll replaces a broken stream and is marked as
 * recovered.
 */
export async function* pollLeg(context: RunContext, message?: Message): AsyncGenerator<Update, Stop> {
  const { life, calling, plan } = context;
  const attempts = new Attempts(plan.reconnect, calling.settings);
  // The response to a message on an existing task may show the task before that message, including its old question: the next poll decides.
  let doubts = message?.taskId !== undefined && context.follower.status === undefined;
  for (const update of message === undefined
    ? context.look(yield* askPatiently(context, attempts), 'look')
    : await send(context, message)) {
    yield update;
  }
  if (context.follower.message !== undefined) return { kind: 'message' };
  if (doubts) context.markAnswered();
  for (;;) {
    const stop = yield* stopHere(context);
    if (stop !== undefined) return stop;
    const { status } = context.follower;
    const isWaiting = status !== undefined && isInterrupted(status.state);
    await life.sleep(calling.settings.clock, isWaiting ? plan.waitingIntervalMs : plan.pollingIntervalMs);
    const task = yield* askPatiently(context, attempts);
    for (const update of context.look(task, 'poll')) yield update;
    if (doubts) context.unmarkAnswered();
    doubts = false;
  }
}

async function send(context: RunContext, message: Message): Promise<readonly Update[]> {
  const { task, message: answer } = await sendOnce(context, message);
  if (task !== undefined) return context.look(task, 'poll');
  if (answer !== undefined) return context.accept({ seq: undefined, response: { message: answer } });
  throw noAnswer(context.peer.name);
}

/** Returns the task, and keeps trying during a temporary connection failure. */
async function* askPatiently(context: RunContext, attempts: Attempts): AsyncGenerator<Update, Task> {
  for (;;) {
    try {
      // A poll is an ordinary call with its own retries. After it has failed, further polls count as reconnect attempts.
      const task = await getTask(context, attempts.used === 0 ? undefined : attempts.budget);
      attempts.refill();
      return task;
    } catch (thrown) {
      context.life.check();
      if (!isDrop(thrown)) throw thrown;
      const drop = { kind: 'drop', cause: thrown, askedMs: thrown.retryAfterMs, wasRefused: true } as const;
      if (!(yield* comeBack(context, drop, { attempts, resend: false }))) throw reconnectFailed(context, attempts, thrown);
    }
  }
}
