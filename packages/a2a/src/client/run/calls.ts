/** The calls that a run makes. */
import type { Message, SendMessageConfiguration, SendMessageRequest, SendMessageResponse, Task } from '../../protocol/types.js';
import type { EventStream } from '../call.js';
import type { OpenOptions } from '../calling.js';
import type { CallBudget } from '../resilience/budget.js';
import type { RunContext } from './context.js';

/** The source of the events of a leg. A leg is one send or subscription, followed until the task stops or asks. */
export type Source = { readonly kind: 'send'; readonly message: Message } | { readonly kind: 'subscribe' };

/** Resolves when the agent has accepted the stream. `budget` is set if the stream replaces a broken one; it is the shared retry budget. */
export async function openStream(context: RunContext, source: Source, budget?: CallBudget): Promise<EventStream> {
  const { calling, life, call, follower } = context;
  const evenIfOpen = budget !== undefined || (source.kind === 'subscribe' && context.wasReached);
  life.check();
  const opening =
    source.kind === 'send'
      ? calling.open('SendStreamingMessage', toRequest(context, source.message), { evenIfOpen, budget, ...sendOptions(context) })
      : calling.open('SubscribeToTask', { id: follower.taskId ?? '' }, { ...call, evenIfOpen, budget, lastEventId: follower.seq });
  const events = await life.race(opening, (late) => late.close());
  context.wasReached = true;
  return events;
}

/** Sends a message whose task is then polled. */
export async function sendOnce(context: RunContext, message: Message): Promise<SendMessageResponse> {
  const { calling, life } = context;
  life.check();
  const sending = calling.value('SendMessage', toRequest(context, message, { returnImmediately: true }), sendOptions(context));
  const answer = await life.race(sending);
  context.wasReached = true;
  return answer;
}

/** `budget`: a shared retry budget, if there is one. */
export async function getTask(context: RunContext, budget?: CallBudget): Promise<Task> {
  const { calling, life, call, follower, plan, wasReached } = context;
  life.check();
  const { historyLength } = plan;
  const params = { id: follower.taskId ?? '', ...(historyLength !== undefined && { historyLength }) };
  const task = await life.race(calling.value('GetTask', params, { ...call, evenIfOpen: wasReached, budget }));
  context.wasReached = true;
  return task;
}

/** Every repetition of a message is the same send. Its idempotency key is the caller's key for the first message, else the message id. */
function sendOptions({ call, plan, follower, repeats }: RunContext): OpenOptions {
  const { idempotencyKey } = plan;
  if (follower.status !== undefined) return call;
  return { ...call, ...(idempotencyKey !== undefined && { idempotencyKey }), ...repeats?.options() };
}

/** The client fills in what the run does not set. */
function toRequest({ plan, follower }: RunContext, message: Message, more?: SendMessageConfiguration): SendMessageRequest {
  const { historyLength, acceptedOutputModes, taskPushNotificationConfig, metadata } = plan;
  const isFirst = follower.status === undefined;
  const configuration: SendMessageConfiguration = {
    ...(acceptedOutputModes !== undefined && { acceptedOutputModes }),
    ...(historyLength !== undefined && { historyLength }),
    ...(isFirst && taskPushNotificationConfig !== undefined && { taskPushNotificationConfig }),
    ...more,
  };
  return { message, configuration, ...(metadata !== undefined && { metadata }) };
}
