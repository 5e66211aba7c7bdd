/** The calls that a run makes. */
import type { Message, SendMessageConfiguration, SendMessageRequest, SendMessageResponse, Task } from '../../protocol/types.js';
import type { EventStream } from '../call.js';
import type { CallOptions } from '../call-options.js';
import type { RunContext } from './context.js';

/** Where the events of a leg come from. */
export type Source = { readonly kind: 'send'; readonly message: Message } | { readonly kind: 'subscribe' };

/** Resolves when the agent has agreed to the stream. */
export async function openStream(context: RunContext, source: Source): Promise<EventStream> {
  const { calling, life, call, follower } = context;
  life.check();
  const opening =
    source.kind === 'send'
      ? calling.open('SendStreamingMessage', toRequest(context, source.message), sendOptions(context))
      : calling.open('SubscribeToTask', { id: follower.taskId ?? '' }, { ...call, lastEventId: follower.seq });
  return life.race(opening, (events) => events.close());
}

/** Sends a message whose task is then asked for again and again. */
export async function sendOnce(context: RunContext, message: Message): Promise<SendMessageResponse> {
  const { calling, life } = context;
  life.check();
  return life.race(calling.value('SendMessage', toRequest(context, message, { returnImmediately: true }), sendOptions(context)));
}

export async function getTask({ calling, life, call, follower, plan }: RunContext): Promise<Task> {
  life.check();
  const { historyLength } = plan;
  return life.race(calling.value('GetTask', { id: follower.taskId ?? '', ...(historyLength !== undefined && { historyLength }) }, call));
}

/** The same message is the same send, however often it goes out: by the caller's key for the first one, else by its own id. */
function sendOptions({ call, plan, follower }: RunContext): CallOptions {
  const { idempotencyKey } = plan;
  return follower.status === undefined && idempotencyKey !== undefined ? { ...call, idempotencyKey } : call;
}

/** What the run does not say, the client fills in. */
function toRequest({ plan }: RunContext, message: Message, more?: SendMessageConfiguration): SendMessageRequest {
  const { historyLength, acceptedOutputModes } = plan;
  const configuration: SendMessageConfiguration = {
    ...(acceptedOutputModes !== undefined && { acceptedOutputModes }),
    ...(historyLength !== undefined && { historyLength }),
    ...more,
  };
  return { message, configuration };
}
