/** Requests the task once more when no reconnect attempt is left. */
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

/** The agent was down and is back: the run reconnects to the stream, with all attempts restored. */
interface Back {
  readonly kind: 'back';
}

/** Ends the leg with the state of the task. Throws A2AReconnectError if the task still runs or cannot be fetched. */
export async function* lastLook(context: RunContext, attempts: Attempts, cause: A2AError): AsyncGenerator<Update, Stop | Back> {
  const budget = createBudget({ clock: context.calling.settings.clock });
  const task = await lookQuietly(context, budget);
  if (task === undefined) throw reconnectFailed(context, attempts, cause);
  // An agent that returns the task immediately but gives no stream refuses the stream. An agent that needed retries here was restarted.
  if (attempts.wereAllRefused && budget.retries() > 0 && !isTerminal(task.status.state) && attempts.returnTo(context.follower.news)) {
    return { kind: 'back' };
  }
  for (const update of context.look(task, 'look')) yield update;
  // The authorization was given elsewhere and the agent does not know it yet: keep polling.
  const waits = context.isAnswered && task.status.state === 'TASK_STATE_AUTH_REQUIRED';
  // Our reply may have arrived and be waiting in the inbox. A second reply would be taken as the reply to the next question.
  if (context.isAnswered && !waits && context.peer.log.idempotencyKey) throw reconnectFailed(context, attempts, cause);
  if (!waits) context.unmarkAnswered();
  const stop = yield* stopHere(context);
  if (stop !== undefined) return stop;
  if (waits || context.isAnswered) return yield* pollLeg(context);
  if (isInterrupted(task.status.state)) return { kind: task.status.state === 'TASK_STATE_AUTH_REQUIRED' ? 'auth' : 'input' };
  throw reconnectFailed(context, attempts, cause);
}

/** Returns the task, or undefined if it cannot be fetched. */
export async function lookQuietly(context: RunContext, budget?: CallBudget): Promise<Task | undefined> {
  if (context.follower.taskId === undefined) return undefined;
  try {
    return await getTask(context, budget);
  } catch (thrown) {
    context.life.check();
    if (!isA2AError(thrown)) throw thrown;
    context.report(thrown); // The caller gets the error that led here instead.
    return undefined;
  }
}
