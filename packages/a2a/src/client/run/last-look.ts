/** When no attempt to come back to a stream is left: what became of the task? */
import { type A2AError, isA2AError } from '../../protocol/errors.js';
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import type { Task } from '../../protocol/types.js';
import { type CallBudget, createBudget } from '../resilience/budget.js';
import type { Attempts } from './attempts.js';
import { getTask } from './calls.js';
import { reconnectFailed } from './come-back.js';
import type { RunContext } from './context.js';
import { pollLeg } from './poll-leg.js';
import { type Stop, stopHere } from './stop.js';
import type { Update } from './update.js';

/** The agent was away as a whole and is there again: the stream can be come back to, with all attempts. */
interface Back {
  readonly kind: 'back';
}

/** Ends the leg with what the task says; throws A2AReconnectError when it still goes on, or cannot be had. */
export async function* lastLook(context: RunContext, attempts: Attempts, cause: A2AError): AsyncGenerator<Update, Stop | Back> {
  const budget = createBudget({ clock: context.calling.settings.clock });
  const task = await lookQuietly(context, budget);
  if (task === undefined) throw reconnectFailed(context, attempts, cause);
  // An agent that answers this at once and gives no stream refuses the stream. One that had to be asked again was restarted.
  if (attempts.wereAllRefused && budget.retries() > 0 && !isTerminal(task.status.state) && attempts.returnTo(context.follower.news)) {
    return { kind: 'back' };
  }
  for (const update of context.look(task, 'look')) yield update;
  // The authorization was given elsewhere and the agent does not know yet: there is nothing to do but wait.
  const waits = context.isAnswered && task.status.state === 'TASK_STATE_AUTH_REQUIRED';
  // The answer may have arrived and wait to be taken: a second one would be the answer to the next question.
  if (context.isAnswered && !waits && context.peer.log.idempotencyKey) throw reconnectFailed(context, attempts, cause);
  if (!waits) context.unmarkAnswered();
  const stop = yield* stopHere(context);
  if (stop !== undefined) return stop;
  if (waits || context.isAnswered) return yield* pollLeg(context);
  if (isInterrupted(task.status.state)) return { kind: task.status.state === 'TASK_STATE_AUTH_REQUIRED' ? 'auth' : 'input' };
  throw reconnectFailed(context, attempts, cause);
}

/** The task, or undefined when it cannot be had. */
export async function lookQuietly(context: RunContext, budget?: CallBudget): Promise<Task | undefined> {
  if (context.follower.taskId === undefined) return undefined;
  try {
    return await getTask(context, budget);
  } catch (thrown) {
    context.life.check();
    if (!isA2AError(thrown)) throw thrown;
    context.report(thrown); // What is thrown instead is what made the run look.
    return undefined;
  }
}
