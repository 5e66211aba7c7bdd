/** Reads streams until the task stops, and reconnects when they break. */
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

/** The state of a leg across its streams. */
interface Leg {
  readonly first: Source;
  readonly attempts: Attempts;
  /** The agent has accepted a stream of this leg. */
  wasOpen: boolean;
  /** An event has arrived, so the agent has the message of the leg. */
  hasBegun: boolean;
  /** The question that the task shows may be the one that this leg answers. */
  doubts: boolean;
}

/** The peer refuses this stream. */
interface Refused {
  readonly kind: 'refused';
}

export async function* streamLeg(context: RunContext, first: Source): AsyncGenerator<Update, Stop> {
  const attempts = new Attempts(context.plan.reconnect, context.calling.settings);
  const leg: Leg = { first, attempts, wasOpen: false, hasBegun: false, doubts: false };
  let source = first;
  // The stream of a send contains only new events. A subscription may repeat events that the follower knows.
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

/** A message is sent again only to agents that recognize its idempotency key, and only until an event proves that they have it. */
function canResend({ peer }: RunContext, { first, hasBegun }: Leg): boolean {
  return first.kind === 'send' && !hasBegun && peer.log.idempotencyKey;
}

/** Polls an agent that does not stream. A task that cannot be subscribed to has ended, or can only be polled. */
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
  return new A2ATransportError('serialization', 'The stream contains an event without its number', { sent: true, peer: peer.name });
}

function isOnOldTask(source: Source): boolean {
  return source.kind === 'send' && source.message.taskId !== undefined;
}

/**
 * A stream on an existing task may begin with the task before our message, including its old question. The next event or the end of the
 * stream shows whether the question is old or new.
 */
function doubtQuestion(context: RunContext, leg: Leg): void {
  leg.doubts = true;
  context.markAnswered();
}

/** The state of the task decides what the end of a stream means. */
async function* endOfStream(context: RunContext, { source, leg, isFirst, retryMs, skipped }: Ended): AsyncGenerator<Update, Stop | Drop> {
  context.life.check();
  const { status, message } = context.follower;
  if (message !== undefined) return { kind: 'message' };
  if (isFirst && source.kind === 'subscribe' && status === undefined && (await wasOver(context))) return { kind: 'final' };
  // With idempotency keys, an empty stream only means that the agent is shutting down: our answer may have arrived, so the question is not
  // asked again.
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

/** True if the log has nothing after the requested event because the task ended with it. Then there is nothing to deliver. */
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
  /** No event of this stream has arrived. */
  readonly isFirst: boolean;
  readonly retryMs?: number | undefined;
  readonly skipped?: Reading['skipped'];
  /** The stream was never opened. */
  readonly wasRefused?: boolean;
}

/** Returns what an error means for the leg. Throws it if the stream is not the problem. */
function endOf(context: RunContext, thrown: unknown, { source, leg, isFirst, retryMs = 0, wasRefused = false }: Ended): Drop | Refused {
  context.life.check();
  if (isFirst && isA2AError(thrown) && isRefusal(context, source, thrown)) return { kind: 'refused' };
  if (!leg.wasOpen || !isDrop(thrown)) throw thrown;
  return { kind: 'drop', cause: thrown, askedMs: Math.max(retryMs, thrown.retryAfterMs ?? 0), wasRefused };
}

/** Agents use different errors to refuse a subscription to an ended task. A request for the task shows what is meant. */
const NO_SUBSCRIPTION: readonly ErrorReason[] = ['UNSUPPORTED_OPERATION', 'INVALID_PARAMS', 'TASK_NOT_FOUND', 'METHOD_NOT_FOUND'];
const NO_STREAMING: readonly ErrorReason[] = ['UNSUPPORTED_OPERATION', 'METHOD_NOT_FOUND'];

/** An agent that has streamed before does not refuse streaming: it refuses the message, and sending it in another way does not help. */
function isRefusal({ plan, hasStreamed }: RunContext, source: Source, { reason }: A2AError): boolean {
  if (source.kind === 'subscribe') return NO_SUBSCRIPTION.includes(reason);
  return plan.mode === 'auto' && !hasStreamed && NO_STREAMING.includes(reason);
}
