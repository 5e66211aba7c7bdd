import { expect, expectTypeOf, test } from 'vitest';
import type { StreamResponse } from '../protocol/types.js';
import { type StreamEvent, toStreamEvent } from './stream-event.js';

const status = { state: 'TASK_STATE_WORKING' } as const;

/** Does not compile when a member of the union is forgotten. */
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

test('U13: every event is one of four, and a switch over them is complete', () => {
  const events: readonly StreamResponse[] = [
    { task: { id: 'a', status } },
    { message: { messageId: 'b', role: 'ROLE_AGENT', parts: [] } },
    { statusUpdate: { taskId: 'c', contextId: 'x', status } },
    { artifactUpdate: { taskId: 't', contextId: 'x', artifact: { artifactId: 'd', parts: [] } } },
  ];
  expect(events.map((event) => nameOf(toStreamEvent(event)))).toEqual(['a', 'b', 'c', 'd']);
});

test('U13: the union names what the protocol names', () => {
  expectTypeOf<StreamEvent['kind']>().toEqualTypeOf<keyof StreamResponse>();
});

test('an event with nothing in it is refused', () => {
  expect(() => toStreamEvent({})).toThrow('holds nothing');
});
