/** Asks for the task again and again until it stops: for agents that do not stream, and when streams can not be had. */
import { isInterrupted } from '../../protocol/task-state.js';
import type { Message, Task } from '../../protocol/types.js';
import { Attempts } from './attempts.js';
import { getTask, sendOnce } from './calls.js';
import { comeBack, reconnectFailed } from './come-back.js';
import { isDrop, type RunContext } from './context.js';
import { noAnswer } from './outcome.js';
import { type Stop, stopHere } from './stop.js';
import type { Update } from './update.js';

/** Sends the message, where there is one, and polls. What the first look finds instead of a broken stream is recovered. */
export async function* pollLeg(context: RunContext, message?: Message): AsyncGenerator<Update, Stop> {
  const { life, calling, plan } = context;
  const attempts = new Attempts(plan.reconnect, calling.settings);
  // The answer to a message on a task that was there before may show it as it stood, question included: the next look decides.
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

/** The task, also when the way to it fails for a while. */
async function* askPatiently(context: RunContext, attempts: Attempts): AsyncGenerator<Update, Task> {
  for (;;) {
    try {
      // A poll is a call like any other. What follows when it has failed, with all its tries, is an attempt to come back.
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
