/** The calls that a run makes. */
import type { Message, SendMessageConfiguration, SendMessageRequest, SendMessageResponse, Task } from '../../protocol/types.js';
import type { EventStream } from '../call.js';
import type { RunContext } from './context.js';

/** Where the events of a leg come from. */
export type Source = { readonly kind: 'send'; readonly message: Message } | { readonly kind: 'subscribe' };

/** Resolves when the agent has agreed to the stream. */
export async function openStream(context: RunContext, source: Source): Promise<EventStream> {
  const { calling, life, call, follower } = context;
  life.check();
  const opening =
    source.kind === 'send'
      ? calling.open('SendStreamingMessage', toRequest(context, source.message), {
          ...call,
          idempotencyKey: keyOf(context, source.message),
        })
      : calling.open('SubscribeToTask', { id: follower.taskId ?? '' }, { ...call, lastEventId: follower.seq });
  return life.race(opening, (events) => events.close());
}

/** Sends a message whose task is then asked for again and again. */
export async function sendOnce(context: RunContext, message: Message): Promise<SendMessageResponse> {
  const { calling, life, call } = context;
  life.check();
  const request = toRequest(context, message, { returnImmediately: true });
  return life.race(calling.value('SendMessage', request, { ...call, idempotencyKey: keyOf(context, message) }));
}

export async function getTask({ calling, life, call, follower, plan }: RunContext): Promise<Task> {
  life.check();
  const { historyLength } = plan;
  return life.race(calling.value('GetTask', { id: follower.taskId ?? '', ...(historyLength !== undefined && { historyLength }) }, call));
}

/** The same message is the same send, however often it goes out. */
function keyOf({ plan, follower }: RunContext, message: Message): string {
  return (follower.status === undefined ? plan.idempotencyKey : undefined) ?? message.messageId;
}

function toRequest({ plan, peer }: RunContext, message: Message, more?: SendMessageConfiguration): SendMessageRequest {
  const { historyLength } = plan;
  const offered = peer.card?.defaultOutputModes ?? [];
  const acceptedOutputModes = plan.acceptedOutputModes ?? (offered.length > 0 ? offered : ['text/plain', 'application/json']);
  return { message, configuration: { acceptedOutputModes, ...(historyLength !== undefined && { historyLength }), ...more } };
}
