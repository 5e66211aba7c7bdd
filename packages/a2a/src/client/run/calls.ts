/** The calls that a run makes. */
import type { Message, SendMessageConfiguration, SendMessageRequest, SendMessageResponse, Task } from '../../protocol/types.js';
import type { EventStream } from '../call.js';
import type { OpenOptions } from '../calling.js';
import type { CallBudget } from '../resilience/budget.js';
import type { RunContext } from './context.js';

/** Where the events of a leg come from. */
export type Source = { readonly kind: 'send'; readonly message: Message } | { readonly kind: 'subscribe' };

/** Resolves when the agent has agreed to the stream. `budget`: it is to replace one that broke, and shares what it may try with others. */
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

/** Sends a message whose task is then asked for again and again. */
export async function sendOnce(context: RunContext, message: Message): Promise<SendMessageResponse> {
  const { calling, life } = context;
  life.check();
  const sending = calling.value('SendMessage', toRequest(context, message, { returnImmediately: true }), sendOptions(context));
  const answer = await life.race(sending);
  context.wasReached = true;
  return answer;
}

/** `budget`: what it may try again, where others share that. */
export async function getTask(context: RunContext, budget?: CallBudget): Promise<Task> {
  const { calling, life, call, follower, plan, wasReached } = context;
  life.check();
  const { historyLength } = plan;
  const params = { id: follower.taskId ?? '', ...(historyLength !== undefined && { historyLength }) };
  const task = await life.race(calling.value('GetTask', params, { ...call, evenIfOpen: wasReached, budget }));
  context.wasReached = true;
  return task;
}

/** The same message is the same send, however often it goes out: by the caller's key for the first one, else by its own id. */
function sendOptions({ call, plan, follower, repeats }: RunContext): OpenOptions {
  const { idempotencyKey } = plan;
  if (follower.status !== undefined) return call;
  return { ...call, ...(idempotencyKey !== undefined && { idempotencyKey }), ...repeats?.options() };
}

/** What the run does not say, the client fills in. */
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
