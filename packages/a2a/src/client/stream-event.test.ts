import { expect, expectTypeOf, test } from 'vitest';
import type { StreamResponse } from '../protocol/types.js';
import { type StreamEvent, toStreamEvent } from './stream-event.js';

const status = { state: 'TASK_STATE_WORKING' } as const;

/** Does not compile if a member of the union is missing. */
function nameOf(event: StreamEvent): string {
  switch (event.kind) {
    case 'task':
      return event.task.id;
    case 'message':
      return event.message.messageId;
    case 'statusUpdate':
      return event.statusUpdate.taskId;
    case 'artifactUpdate':
      return event.artifactUpdate.artifact.artifactId;
    default: {
      const none: never = event;
      return none;
    }
  }
}

test('U13: every event has one of four kinds, and a switch over them is exhaustive', () => {
  const events: readonly StreamResponse[] = [
    { task: { id: 'a', status } },
    { message: { messageId: 'b', role: 'ROLE_AGENT', parts: [] } },
    { statusUpdate: { taskId: 'c', contextId: 'x', status } },
    { artifactUpdate: { taskId: 't', contextId: 'x', artifact: { artifactId: 'd', parts: [] } } },
  ];
  expect(events.map((event) => nameOf(toStreamEvent(event)))).toEqual(['a', 'b', 'c', 'd']);
});

test('U13: the kinds are the names of the protocol members', () => {
  expectTypeOf<StreamEvent['kind']>().toEqualTypeOf<keyof StreamResponse>();
});

test('an empty event is refused', () => {
  expect(() => toStreamEvent({})).toThrow('is empty');
});
