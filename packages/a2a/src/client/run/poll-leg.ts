/** Asks for the task again and again until it stops: for agents that do not stream, and when streams can not be had. */
import type { Message, Task } from '../../protocol/types.js';
import { Attempts } from './attempts.js';
import { getTask, sendOnce } from './calls.js';
import { comeBack, reconnectFailed } from './come-back.js';
import { isDrop, type RunContext } from './context.js';
import { type Stop, stopHere } from './stop.js';
import type { Update } from './update.js';

/** Sends the message, where there is one, and polls. What the first look finds instead of a broken stream is recovered. */
export async function* pollLeg(context: RunContext, message?: Message): AsyncGenerator<Update, Stop> {
  const { life, calling, plan } = context;
  const attempts = new Attempts(plan.reconnect, calling.settings.random);
  if (message === undefined) {
    const task = yield* askPatiently(context, attempts);
    for (const update of context.look(task, 'look')) yield update;
  } else {
    const reply = await sendOnce(context, message);
    for (const update of reply.task === undefined
      ? context.accept({ seq: undefined, response: reply })
      : context.look(reply.task, 'poll')) {
      yield update;
    }
  }
  for (;;) {
    const stop = yield* stopHere(context);
    if (stop !== undefined) return stop;
    await life.sleep(calling.settings.clock, plan.pollingIntervalMs);
    const task = yield* askPatiently(context, attempts);
    for (const update of context.look(task, 'poll')) yield update;
  }
}

/** The task, also when the way to it fails for a while. */
async function* askPatiently(context: RunContext, attempts: Attempts): AsyncGenerator<Update, Task> {
  for (;;) {
    try {
      const task = await getTask(context);
      attempts.refill();
      return task;
    } catch (thrown) {
      context.life.check();
      if (!isDrop(thrown)) throw thrown;
      const drop = { kind: 'drop', cause: thrown, askedMs: thrown.retryAfterMs } as const;
      if (!(yield* comeBack(context, drop, { attempts, resend: false }))) throw reconnectFailed(context, attempts, thrown);
    }
  }
}
