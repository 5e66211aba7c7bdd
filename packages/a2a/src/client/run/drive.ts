/** Drives a message, or a task that exists, to its end: leg after leg, on one task. */
import { A2AReconnectError, type ErrorReason, isA2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Message } from '../../protocol/types.js';
import { messageReply, taskReply } from '../reply.js';
import { askInput } from './ask.js';
import { getTask, type Source } from './calls.js';
import type { RunContext } from './context.js';
import type { Follower } from './follower.js';
import { Interrupt, TASK_IS_OVER } from './life.js';
import { noAnswer, terminalError } from './outcome.js';
import { pollLeg } from './poll-leg.js';
import { Repeats } from './repeat.js';
import { authRequired, type Stop } from './stop.js';
import { streamLeg } from './stream-leg.js';
import type { Reply, Update } from './update.js';

export interface DriveOptions {
  readonly first: Source;
  /** Makes a copy for a further task. */
  readonly follow: () => Follower;
  /** Follows the task on, for those who gave an authorization elsewhere. */
  readonly resume: () => unknown;
}

/** Everything that happens, in order and once; then the Reply, or the error that the task ended with. */
export async function* drive(context: RunContext, options: DriveOptions): AsyncGenerator<Update, Reply> {
  const { calling, peer, life } = context;
  if (startsTask(context, options.first)) context.repeats = new Repeats({ calling, peer, life, follow: options.follow });
  try {
    yield* legs(context, options);
  } catch (thrown) {
    for (const update of lastUpdates(context, thrown)) yield update;
  } finally {
    context.asking?.withdraw();
    context.life.goOn();
  }
  return toReply(context);
}

/** Whether a failure may be that of the call. A message on a task that exists starts none. */
function startsTask({ calling }: RunContext, first: Source): boolean {
  return calling.settings.retries && first.kind === 'send' && first.message.taskId === undefined;
}

/** What ends the run although something was thrown: the end of the task, learned by another way, or a failed send that is not repeated. */
function lastUpdates(context: RunContext, thrown: unknown): readonly Update[] {
  const { final } = context.life;
  const failed = context.repeats?.endOf(thrown);
  const held = context.repeats?.release() ?? [];
  context.repeats = undefined; // from here on nothing is sent again, so nothing may be held back
  if (thrown === TASK_IS_OVER && final !== undefined) return [...held, ...context.look(final, 'look')];
  if (failed === undefined) throw thrown;
  context.goTo(failed.follower);
  return failed.updates;
}

async function* legs(context: RunContext, options: DriveOptions): AsyncGenerator<Update, void> {
  let source = options.first;
  for (;;) {
    const message = yield* interruptible(context, turn(context, source, options));
    const next = message === undefined ? context.repeats?.next() : undefined;
    if (next !== undefined) context.goTo(next);
    else if (message === undefined) {
      for (const update of context.repeats?.release() ?? []) yield update;
      return;
    }
    source = message === undefined ? options.first : { kind: 'send', message };
  }
}

/** One leg, and the message to go on with; undefined at the end. */
async function* turn(context: RunContext, source: Source, { first, resume }: DriveOptions): AsyncGenerator<Update, Message | undefined> {
  const stop = yield* source === first ? leg(context, source) : replyLeg(context, source);
  if (stop.kind === 'input') return yield* askInput(context);
  if (stop.kind === 'auth' && context.plan.throwOn !== 'never') throw authRequired(context, resume);
  return undefined;
}

/** A question that was put while the turn went on ends it with its answer. */
async function* interruptible(
  context: RunContext,
  turns: AsyncGenerator<Update, Message | undefined>,
): AsyncGenerator<Update, Message | undefined> {
  try {
    return yield* turns;
  } catch (thrown) {
    const why = await whyItEnded(context, thrown);
    if (!(why instanceof Interrupt)) throw why;
    context.life.goOn();
    if ('thrown' in why.outcome) throw why.outcome.thrown;
    return why.outcome.message;
  }
}

/** An agent that is away while somebody is asked for an authorization may be back with the answer: that is waited for. */
async function whyItEnded({ asking, life }: RunContext, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof A2AReconnectError) || !asking?.isOpen) return thrown;
  try {
    await life.race(asking.settled);
    return thrown;
  } catch (why) {
    return why;
  }
}

/** The task may have ended while its caller thought about the answer: then there is nobody to answer any more. */
async function* replyLeg(context: RunContext, source: Source): AsyncGenerator<Update, Stop> {
  try {
    return yield* leg(context, source);
  } catch (thrown) {
    if (!isA2AError(thrown) || !NOT_TAKEN.includes(thrown.reason)) throw thrown;
    const task = await getTask(context);
    if (!isTerminal(task.status.state)) throw thrown;
    for (const update of context.look(task, 'look')) yield update;
    return { kind: 'final' };
  }
}

/** Agents differ in how they refuse a message to a task that is over. */
const NOT_TAKEN: readonly ErrorReason[] = ['UNSUPPORTED_OPERATION', 'INVALID_PARAMS'];

function leg(context: RunContext, source: Source): AsyncGenerator<Update, Stop> {
  if (context.streams) return streamLeg(context, source);
  return pollLeg(context, source.kind === 'send' ? source.message : undefined);
}

async function toReply(context: RunContext): Promise<Reply> {
  const { follower, plan, peer } = context;
  if (follower.isPartial) await complete(context);
  const { task, message, text, contextId } = follower;
  if (message !== undefined) return { ...messageReply(message), text };
  if (task === undefined) throw noAnswer(peer.name);
  const error = plan.throwOn === 'never' ? undefined : terminalError(task, peer.name);
  if (error !== undefined) throw error;
  const reply = taskReply(task);
  return { ...reply, text, contextId: reply.contextId ?? contextId };
}

/** A copy that was begun in the middle is completed once, for the result; without luck it stays as it is. */
async function complete(context: RunContext): Promise<void> {
  try {
    context.follower.complete(await getTask(context));
  } catch (thrown) {
    if (thrown === TASK_IS_OVER) return;
    if (context.life.signal.aborted) throw thrown;
    context.report(thrown);
  }
}
