/** Reads streams to where the task stops, whatever happens to them on the way. */
import { type A2AError, A2ATransportError, type ErrorReason, isA2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { Attempts } from './attempts.js';
import { openStream, type Source } from './calls.js';
import { comeBack, type Drop } from './come-back.js';
import { isDrop, type RunContext } from './context.js';
import { lastLook, lookQuietly } from './last-look.js';
import { pollLeg } from './poll-leg.js';
import { Reading } from './reading.js';
import { type Stop, stopHere } from './stop.js';
import type { Update } from './update.js';

/** What a leg remembers over its streams. */
interface Leg {
  readonly first: Source;
  readonly attempts: Attempts;
  /** The agent has agreed to a stream of this leg. */
  wasOpen: boolean;
  /** An event has come: the message that the leg sends is with the agent. */
  hasBegun: boolean;
  /** The question that the task shows may be the one that the leg answers. */
  doubts: boolean;
}

/** The peer will not give this stream. */
interface Refused {
  readonly kind: 'refused';
}

export async function* streamLeg(context: RunContext, first: Source): AsyncGenerator<Update, Stop> {
  const attempts = new Attempts(context.plan.reconnect, context.calling.settings);
  const leg: Leg = { first, attempts, wasOpen: false, hasBegun: false, doubts: false };
  let source = first;
  // A stream of its own has new events only; one that a task is followed on by may repeat what its follower knows.
  if (first.kind === 'send') context.follower.endGap();
  else context.follower.markGap();
  for (;;) {
    const end = yield* readStream(context, source, leg);
    if (end.kind === 'refused') return yield* goOnWithout(context, source);
    if (end.kind !== 'drop') return end;
    const resend = canResend(context, leg);
    if (yield* comeBack(context, end, { attempts, resend })) {
      source = resend ? first : { kind: 'subscribe' };
      continue;
    }
    const last = yield* lastLook(context, attempts, end.cause);
    if (last.kind !== 'back') return last;
    source = { kind: 'subscribe' };
  }
}

/** Only to agents that know a send by its key is a message sent again, and only while nothing shows that they have it. */
function canResend({ peer }: RunContext, { first, hasBegun }: Leg): boolean {
  return first.kind === 'send' && !hasBegun && peer.log.idempotencyKey;
}

/** An agent that streams nothing is polled; a task that can not be subscribed to is over, or can only be asked for. */
function goOnWithout(context: RunContext, source: Source): AsyncGenerator<Update, Stop> {
  if (source.kind === 'subscribe') return pollLeg(context);
  context.streams = false;
  return pollLeg(context, source.message);
}

async function* readStream(context: RunContext, source: Source, leg: Leg): AsyncGenerator<Update, Stop | Drop | Refused> {
  let reading: Reading;
  try {
    reading = new Reading(
      await openStream(context, source, leg.wasOpen ? leg.attempts.budget : undefined),
      context.life,
      context.calling.settings.clock,
    );
  } catch (thrown) {
    return endOf(context, thrown, { source, leg, isFirst: true, wasRefused: true });
  }
  leg.wasOpen = true;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const step = await reading.next();
      if (step.kind === 'broken') return endOf(context, step.thrown, { source, leg, isFirst, retryMs: reading.retryMs });
      if (step.kind === 'end')
        return yield* endOfStream(context, { source, leg, isFirst, retryMs: reading.retryMs, skipped: reading.skipped });
      if (context.follower.isTorn(step.event))
        return { kind: 'drop', cause: tornEvent(context), askedMs: reading.retryMs, wasRefused: false };
      if (isFirst && source.kind === 'subscribe') context.follower.beginSubscription(step.event);
      const { news, status } = context.follower;
      for (const update of context.accept(step.event)) yield update;
      if (context.follower.news > news) leg.attempts.refill();
      leg.hasBegun = true;
      context.hasStreamed = true;
      if (status === undefined && step.event.response.task !== undefined && isOnOldTask(source)) doubtQuestion(context, leg);
      if (context.stop === undefined && !context.follower.isAnsweredByMessage) continue;
      const stop = yield* stopHere(context);
      if (stop !== undefined) return stop;
    }
  } finally {
    reading.close();
  }
}

function tornEvent({ peer }: RunContext): A2AError {
  return new A2ATransportError('serialization', 'The stream holds an event that has lost its number', { sent: true, peer: peer.name });
}

function isOnOldTask(source: Source): boolean {
  return source.kind === 'send' && source.message.taskId !== undefined;
}

/**
 * A stream on a task that was there before may begin with the task as it stood, question included. Whether that is the old question or
 * a new one shows in what follows: another event, or the end of the stream.
 */
function doubtQuestion(context: RunContext, leg: Leg): void {
  leg.doubts = true;
  context.markAnswered();
}

/** The state decides what the end of a stream means. */
async function* endOfStream(context: RunContext, { source, leg, isFirst, retryMs, skipped }: Ended): AsyncGenerator<Update, Stop | Drop> {
  context.life.check();
  const { status, message } = context.follower;
  if (message !== undefined) return { kind: 'message' };
  if (isFirst && source.kind === 'subscribe' && status === undefined && (await wasOver(context))) return { kind: 'final' };
  // Where an answer can be sent again, a stream without any event only says that the agent goes away: the question may be answered.
  const isSilent = isFirst && context.peer.log.idempotencyKey;
  if (!isSilent && context.isAnswered && (leg.doubts || status?.state === 'TASK_STATE_INPUT_REQUIRED')) {
    leg.doubts = false;
    context.unmarkAnswered();
    const stop = yield* stopHere(context);
    if (stop !== undefined) return stop;
  }
  const state = status === undefined ? 'before the task was known' : `while the task was ${status.state}`;
  const passedOver = skipped === undefined ? '' : `: ${skipped.first}`;
  const cause = new A2ATransportError('network', `The stream ended ${state}${passedOver}`, { sent: true, peer: context.peer.name });
  return { kind: 'drop', cause, askedMs: retryMs, wasRefused: false };
}

/** A log that has nothing behind the event that was asked for: the task ended with that, and there is nothing to tell. */
async function wasOver(context: RunContext): Promise<boolean> {
  if (context.follower.seq === undefined) return false;
  const task = await lookQuietly(context);
  if (task === undefined || !isTerminal(task.status.state)) return false;
  context.follower.complete(task);
  return true;
}

interface Ended {
  readonly source: Source;
  readonly leg: Leg;
  /** No event of this stream has come. */
  readonly isFirst: boolean;
  readonly retryMs?: number | undefined;
  readonly skipped?: Reading['skipped'];
  /** There was no stream to begin with. */
  readonly wasRefused?: boolean;
}

/** What an error means for the leg. Throws it when the stream is not what is wrong. */
function endOf(context: RunContext, thrown: unknown, { source, leg, isFirst, retryMs = 0, wasRefused = false }: Ended): Drop | Refused {
  context.life.check();
  if (isFirst && isA2AError(thrown) && isRefusal(context, source, thrown)) return { kind: 'refused' };
  if (!leg.wasOpen || !isDrop(thrown)) throw thrown;
  return { kind: 'drop', cause: thrown, askedMs: Math.max(retryMs, thrown.retryAfterMs ?? 0), wasRefused };
}

/** Agents differ in how they refuse to show a task that is over; what they mean is seen by asking for it. */
const NO_SUBSCRIPTION: readonly ErrorReason[] = ['UNSUPPORTED_OPERATION', 'INVALID_PARAMS', 'TASK_NOT_FOUND', 'METHOD_NOT_FOUND'];
const NO_STREAMING: readonly ErrorReason[] = ['UNSUPPORTED_OPERATION', 'METHOD_NOT_FOUND'];

/** Whoever has streamed does not refuse to stream: then it is the message that is not taken, and sending it in another way does not help. */
function isRefusal({ plan, hasStreamed }: RunContext, source: Source, { reason }: A2AError): boolean {
  if (source.kind === 'subscribe') return NO_SUBSCRIPTION.includes(reason);
  return plan.mode === 'auto' && !hasStreamed && NO_STREAMING.includes(reason);
}
