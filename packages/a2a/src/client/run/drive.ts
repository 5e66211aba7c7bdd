/** Drives a message, or an existing task, to its end: leg after leg, on one task. */
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
  /** Creates the copy of another task. */
  readonly follow: () => Follower;
  /** Continues to follow the task after the authorization was given elsewhere. */
  readonly resume: () => unknown;
}

/** Yields every update in order and once, then returns the Reply or throws the error of the task. */
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

/** True if a failure of the task may count as a failure of the call. A message on an existing task starts no task. */
function startsTask({ calling }: RunContext, first: Source): boolean {
  return calling.settings.retries && first.kind === 'send' && first.message.taskId === undefined;
}

/**
 * Returns the last updates of a run that ends despite an error: the task ended, as learned by another call, or a failed send is not
 * repeated.
 */
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
    const message = yield* interruptible(context, oneLeg(context, source, options));
    const next = message === undefined ? context.repeats?.next() : undefined;
    if (next !== undefined) context.goTo(next);
    else if (message === undefined) {
      for (const update of context.repeats?.release() ?? []) yield update;
      return;
    }
    source = message === undefined ? options.first : { kind: 'send', message };
  }
}

/** Runs one leg and returns the message to continue with; undefined at the end. */
async function* oneLeg(context: RunContext, source: Source, { first, resume }: DriveOptions): AsyncGenerator<Update, Message | undefined> {
  const stop = yield* source === first ? leg(context, source) : replyLeg(context, source);
  if (stop.kind === 'input') return yield* askInput(context);
  if (stop.kind === 'auth' && context.plan.throwOn !== 'never') throw authRequired(context, resume);
  return undefined;
}

/** The answer to a question that was asked while the leg was reading ends the leg. */
async function* interruptible(
  context: RunContext,
  updates: AsyncGenerator<Update, Message | undefined>,
): AsyncGenerator<Update, Message | undefined> {
  try {
    return yield* updates;
  } catch (thrown) {
    const why = await whyItEnded(context, thrown);
    if (!(why instanceof Interrupt)) throw why;
    context.life.goOn();
    if ('thrown' in why.outcome) throw why.outcome.thrown;
    return why.outcome.message;
  }
}

/** If the agent is down while a person is asked for an authorization, it may be back by the time of the reply, so wait for the reply. */
async function whyItEnded({ asking, life }: RunContext, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof A2AReconnectError) || !asking?.isOpen) return thrown;
  try {
    await life.race(asking.settled);
    return thrown;
  } catch (why) {
    return why;
  }
}

/** The task may have ended while the caller prepared its reply. Then the reply is refused, and the task is the result. */
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

/** Agents use different errors to refuse a message to a finished task. */
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

/** Completes a partial copy once, for the result. If that fails, the copy stays partial. */
async function complete(context: RunContext): Promise<void> {
  try {
    context.follower.complete(await getTask(context));
  } catch (thrown) {
    if (thrown === TASK_IS_OVER) return;
    if (context.life.signal.aborted) throw thrown;
    context.report(thrown);
  }
}
