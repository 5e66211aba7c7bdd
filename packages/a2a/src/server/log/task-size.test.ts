import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvent, createDraft, type TaskDraft, type TaskEvent } from '../../protocol/apply-event.js';
import { taskJson, toTaskText } from '../../protocol/task-text.js';
import type { Message, Part, TaskState } from '../../protocol/types.js';
import { messageGrowth, newTaskBytes, TaskSize } from './task-size.js';

const IDS = { taskId: 'tásk', contextId: 'c"1' };
const timestamp = '2026-01-01T00:00:00.000Z';
const words = fc.constantFrom('', 'a', 'é€', '😀"\n', 'x'.repeat(300));
const messages = words.map((text): Message => ({ messageId: text, role: 'ROLE_USER', parts: [{ text }] }));
const states: fc.Arbitrary<TaskState> = fc.constantFrom('TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED');
const parts: fc.Arbitrary<Part> = fc.oneof(
  words.map((text) => ({ text })),
  words.map((text) => ({ text, mediaType: 'text/plain' })),
  words.map((data) => ({ data })),
);

const events: fc.Arbitrary<TaskEvent> = fc.oneof(
  messages.map((message): TaskEvent => ({ kind: 'input', message })),
  fc.tuple(states, fc.option(messages, { nil: undefined })).map(([state, message]): TaskEvent => {
    const status = { state, ...(message && { message }), timestamp };
    return { kind: 'status', update: { ...IDS, status } };
  }),
  fc.tuple(fc.constantFrom('a', 'b'), fc.array(parts, { maxLength: 3 }), fc.boolean()).map(
    ([artifactId, list, append]): TaskEvent => ({
      kind: 'artifact',
      update: { ...IDS, artifact: { artifactId, parts: list }, append },
    }),
  ),
);

const newDraft = (message: Message): TaskDraft =>
  createDraft({ id: IDS.taskId, contextId: IDS.contextId, status: { state: 'TASK_STATE_SUBMITTED', timestamp }, history: [message] });

const bytesOf = (draft: TaskDraft): number => Buffer.byteLength(taskJson(toTaskText(draft)));

/** Whether the reducer accepts the event: an artifact cannot begin with a chunk that appends. */
function applied(draft: TaskDraft, event: TaskEvent): boolean {
  try {
    applyEvent(draft, event);
    return true;
  } catch {
    return false;
  }
}

describe('D58: the size of a task', () => {
  test('D58: counted event by event, it is the number of bytes of its JSON', () => {
    fc.assert(
      fc.property(messages, fc.array(events, { maxLength: 20 }), (first, list) => {
        const draft = newDraft(first);
        const size = new TaskSize(IDS.taskId, IDS.contextId);
        size.add({ kind: 'task', task: draft });
        expect(size.bytes).toBe(newTaskBytes(first, IDS.taskId, IDS.contextId));
        for (const event of list) {
          const before = { bytes: size.bytes, messages: draft.history.length, hasMessage: draft.status.message !== undefined };
          if (!applied(draft, event)) continue;
          size.add(event);
          expect(size.bytes).toBe(bytesOf(draft));
          if (event.kind !== 'input') continue;
          expect(size.bytes).toBe(before.bytes + messageGrowth(event.message, before.messages, before.hasMessage));
        }
      }),
    );
  });

  test('D58: a claimed task is measured without its earlier messages, whose number and size are stored', () => {
    const draft = newDraft({ messageId: 'é', role: 'ROLE_USER', parts: [{ text: 'first' }] });
    const bytes = Buffer.byteLength(JSON.stringify(draft.history[0]));
    const claimed = TaskSize.of({ ...draft, history: [] }, IDS.contextId, { messages: 1, bytes });
    expect(claimed.bytes).toBe(bytesOf(draft));
  });

  test('D58: metadata that is replaced counts in addition, so the size is never too small', () => {
    const draft = newDraft({ messageId: 'm', role: 'ROLE_USER', parts: [] });
    const size = TaskSize.of(draft, IDS.contextId, { messages: 0, bytes: 0 });
    for (const n of [1, 2, 3]) {
      const event: TaskEvent = { kind: 'status', update: { ...IDS, status: { state: 'TASK_STATE_WORKING', timestamp }, metadata: { n } } };
      applyEvent(draft, event);
      size.add(event);
      expect(size.bytes).toBeGreaterThanOrEqual(bytesOf(draft));
    }
  });
});
