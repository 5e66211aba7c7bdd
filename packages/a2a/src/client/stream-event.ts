/** The events of a stream as a discriminated union. */
import { A2AError } from '../protocol/errors.js';
import type { Message, StreamResponse, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../protocol/types.js';

/** One event of a stream as a discriminated union; check its `kind`. */
export type StreamEvent =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'statusUpdate'; readonly statusUpdate: TaskStatusUpdateEvent }
  | { readonly kind: 'artifactUpdate'; readonly artifactUpdate: TaskArtifactUpdateEvent };

/** Converts an event to the union: `switch (toStreamEvent(response).kind)`. */
export function toStreamEvent({ task, message, statusUpdate, artifactUpdate }: StreamResponse): StreamEvent {
  if (artifactUpdate !== undefined) return { kind: 'artifactUpdate', artifactUpdate };
  if (statusUpdate !== undefined) return { kind: 'statusUpdate', statusUpdate };
  if (task !== undefined) return { kind: 'task', task };
  if (message !== undefined) return { kind: 'message', message };
  throw new A2AError('INVALID_AGENT_RESPONSE', 'An event of the stream is empty: it has no task, message, statusUpdate or artifactUpdate');
}
