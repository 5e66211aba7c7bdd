import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { story } from '../../test/arbitraries.js';
import { applyEvent, createDraft, type TaskDraft, type TaskEvent } from './apply-event.js';
import { parseAs } from './parse.js';
import { isTerminal } from './task-state.js';
import { fromTaskText, taskJson, toTaskText } from './task-text.js';
import { joinTextParts } from './text-parts.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskState } from './types.js';

const ids = { taskId: 't', contextId: 'c' };
const says = (messageId: string): Message => ({ messageId, role: 'ROLE_AGENT', parts: [{ text: messageId }] });
const asks = (messageId: string): TaskEvent => ({ kind: 'input', message: { messageId, role: 'ROLE_USER', parts: [{ text: messageId }] } });
const status = (state: TaskState, message?: Message, metadata?: JsonObject): TaskEvent => ({
  kind: 'status',
  update: { ...ids, status: { state, ...(message && { message }) }, ...(metadata && { metadata }) },
});
const chunk = (artifact: Artifact, append = false): TaskEvent => ({ kind: 'artifact', update: { ...ids, artifact, append } });
const text = (artifactId: string, ...texts: string[]): Artifact => ({ artifactId, parts: texts.map((each) => ({ text: each })) });
const newTask = (): Task => ({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } });

function fold(events: readonly TaskEvent[], options = {}) {
  const draft = createDraft(newTask());
  for (const event of events) applyEvent(draft, event, options);
  return draft;
}

describe('P24: history', () => {
  test('P24: the previous status message moves to the history when a new status arrives', () => {
    const draft = fold([
      status('TASK_STATE_WORKING', says('a')),
      status('TASK_STATE_WORKING'),
      status('TASK_STATE_WORKING', says('b')),
      status('TASK_STATE_COMPLETED', says('c')),
    ]);
    expect(draft.history.map(({ messageId }) => messageId)).toEqual(['a', 'b']);
    expect(draft.status).toEqual({ state: 'TASK_STATE_COMPLETED', message: says('c') });
  });

  test('P24: a new user message first moves the status message to the history, once', () => {
    const draft = fold([status('TASK_STATE_INPUT_REQUIRED', says('question')), asks('answer'), status('TASK_STATE_WORKING')]);
    expect(draft.history.map(({ messageId }) => messageId)).toEqual(['question', 'answer']);
  });

  test('P24: metadata of a status update is merged into that of the task', () => {
    const metadata = JSON.parse('{"__proto__":{"x":1},"b":2}') as JsonObject;
    const draft = fold([status('TASK_STATE_WORKING', undefined, { a: 1, b: 1 }), status('TASK_STATE_WORKING', undefined, metadata)]);
    expect(JSON.stringify(draft.metadata)).toBe('{"a":1,"b":2,"__proto__":{"x":1}}');
    expect(Object.getPrototypeOf(draft.metadata)).toBe(Object.prototype);
  });

  test('P24: for any events, every message occurs once, in order, in the history or as the current status', () => {
    fc.assert(
      fc.property(story, ({ task, events }) => {
        const draft = createDraft(task);
        const said = [...(task.history ?? [])];
        for (const event of events) {
          if (event.kind === 'input') said.push(event.message);
          if (event.kind === 'status' && event.update.status.message) said.push(event.update.status.message);
          applyEvent(draft, event);
          expect([...draft.history, ...(draft.status.message ? [draft.status.message] : [])]).toEqual(said);
        }
      }),
    );
  });

  test('P24: the final metadata is that of all updates merged one after the other', () => {
    fc.assert(
      fc.property(story, ({ task, events }) => {
        const draft = createDraft(task);
        const merged = new Map<string, unknown>();
        for (const event of events) {
          applyEvent(draft, event);
          if (event.kind === 'status') for (const [key, value] of Object.entries(event.update.metadata ?? {})) merged.set(key, value);
        }
        expect(new Map(Object.entries(draft.metadata ?? {}))).toEqual(merged);
      }),
    );
  });
});

describe('P25: artifacts', () => {
  test('P25: without append an artifact is added, or replaced at its position', () => {
    const draft = fold([chunk(text('a', '1')), chunk(text('b', '2')), chunk(text('a', '3'))]);
    expect(draft.artifacts).toEqual([text('a', '3'), text('b', '2')]);
  });

  test('P25: append adds parts as parts, merges metadata, and updates name and description when given', () => {
    const draft = fold([
      chunk({ ...text('a', '1'), name: 'one', description: 'first', metadata: { x: 1, y: 1 }, extensions: ['urn:a'] }),
      chunk({ ...text('a', '2', '3'), metadata: { y: 2 }, extensions: ['urn:a', 'urn:b'] }, true),
      chunk({ ...text('a', '4'), name: 'two' }, true),
    ]);
    expect(draft.artifacts).toEqual([
      { ...text('a', '1', '2', '34'), name: 'two', description: 'first', metadata: { x: 1, y: 2 }, extensions: ['urn:a', 'urn:b'] },
    ]);
  });

  test('P25: append to an unknown artifact is INVALID_AGENT_RESPONSE for a strict writer', () => {
    expect(() => fold([chunk(text('a', '1'), true)])).toThrow(expect.objectContaining({ reason: 'INVALID_AGENT_RESPONSE' }));
  });

  test('C20: a lenient reader accepts a first chunk with append as the start', () => {
    expect(fold([chunk(text('a', '1'), true), chunk(text('a', '2'), true)], { lenient: true }).artifacts).toEqual([text('a', '12')]);
  });

  test('P25: the parts of an artifact are those since it was last replaced', () => {
    fc.assert(
      fc.property(story, ({ task, events }) => {
        const draft = createDraft(task);
        const wanted = new Map<string, Part[]>();
        for (const event of events) {
          applyEvent(draft, event, { keepParts: true });
          if (event.kind !== 'artifact') continue;
          const { artifact, append } = event.update;
          wanted.set(artifact.artifactId, [...(append ? (wanted.get(artifact.artifactId) ?? []) : []), ...artifact.parts]);
        }
        expect(new Map(draft.artifacts.map(({ artifactId, parts }) => [artifactId, parts]))).toEqual(wanted);
      }),
    );
  });
});

describe('D48: appended text', () => {
  test('D48: a text part extends the text part before it', () => {
    const draft = fold([chunk(text('a', '1')), chunk(text('a', '2'), true), chunk(text('a', ''), true), chunk(text('a', '3'), true)]);
    expect(draft.artifacts).toEqual([text('a', '123')]);
  });

  const kept: [string, Part[], Part[]][] = [
    ['two texts in one event', [{ text: '1' }], [{ text: '2' }, { text: '3' }]],
    ['no part at all', [{ text: '1' }], []],
    ['a text with a type', [{ text: '1' }], [{ text: '2', mediaType: 'text/markdown' }]],
    ['a text after one with a type', [{ text: '1', mediaType: 'text/markdown' }], [{ text: '2' }]],
    ['a text with metadata', [{ text: '1' }], [{ text: '2', metadata: {} }]],
    ['a text with a name', [{ text: '1' }], [{ text: '2', filename: 'a.txt' }]],
    ['a text after data', [{ data: '1' }], [{ text: '2' }]],
    ['data after a text', [{ text: '1' }], [{ data: '2' }]],
    ['a text with an unknown member', [{ text: '1' }], [{ text: '2', x: 1 } as Part]],
  ];
  test.each(kept)('D48: %s stays a separate part', (_, first, second) => {
    const draft = fold([chunk({ artifactId: 'a', parts: first }), chunk({ artifactId: 'a', parts: second }, true)]);
    expect(draft.artifacts[0]?.parts).toEqual([...first, ...second]);
  });

  test('D48: undefined members do not count, because the log does not keep them', () => {
    const undef = { text: '2', metadata: undefined } as unknown as Part;
    expect(fold([chunk(text('a', '1')), chunk({ artifactId: 'a', parts: [undef] }, true)]).artifacts).toEqual([text('a', '12')]);
  });

  test('D48: a Task and a snapshot keep their parts, and appended text extends the last one', () => {
    const task: Task = { ...newTask(), artifacts: [text('a', '1', '2')] };
    const draft = createDraft(task);
    applyEvent(draft, chunk(text('a', '3'), true));
    expect(draft.artifacts).toEqual([text('a', '1', '23')]);
    const rebuilt = createDraft(newTask());
    applyEvent(rebuilt, { kind: 'task', task }, { lenient: true });
    expect(rebuilt.artifacts).toEqual([text('a', '1', '2')]);
    const restored = fromTaskText(toTaskText(createDraft(task)));
    applyEvent(restored, chunk(text('a', '3'), true));
    expect(restored.artifacts).toEqual([text('a', '1', '23')]);
    expect(task.artifacts).toEqual([text('a', '1', '2')]);
  });

  test('D48: a reader with keepParts keeps every part as received', () => {
    const events = [chunk(text('a', '1')), chunk(text('a', '2'), true)];
    expect(fold(events, { keepParts: true }).artifacts).toEqual([text('a', '1', '2')]);
  });

  test('D48: for any events, joining loses no character and no other part', () => {
    fc.assert(
      fc.property(story, ({ task, events }) => {
        const [joined, kept] = [createDraft(task), createDraft(task)];
        for (const event of events) {
          applyEvent(joined, event);
          applyEvent(kept, event, { keepParts: true });
        }
        const contentOf = ({ artifacts }: TaskDraft) => artifacts.map(({ parts }) => joinTextParts(parts));
        expect(contentOf(joined)).toEqual(contentOf(kept));
      }),
    );
  });

  test('D48: a task that continues from a snapshot at any point equals the task without a snapshot', () => {
    fc.assert(
      fc.property(story, fc.nat(20), ({ task, events }, cut) => {
        const whole = createDraft(task);
        let resumed = createDraft(task);
        for (const [index, event] of events.entries()) {
          if (index === cut) resumed = fromTaskText(toTaskText(resumed));
          applyEvent(whole, event);
          applyEvent(resumed, event);
        }
        expect(taskJson(toTaskText(resumed))).toBe(taskJson(toTaskText(whole)));
      }),
    );
  });
});

describe('D8: ownership of the draft', () => {
  test('D8: neither the task nor the events are changed', () => {
    fc.assert(
      fc.property(story, ({ task, events }) => {
        const before = JSON.stringify([task, events]);
        const draft = createDraft(task);
        for (const event of events) applyEvent(draft, event);
        expect(JSON.stringify([task, events])).toBe(before);
      }),
    );
  });

  test('D8: arrays grow in place, so a chunk costs the same at the end of a stream as at its beginning', () => {
    const draft = fold([chunk(text('a', 'first'))]);
    const { artifacts, history } = draft;
    const parts = artifacts[0]?.parts;
    for (let n = 0; n < 50_000; n += 1) applyEvent(draft, chunk({ artifactId: 'a', parts: [{ data: n }] }, true));
    applyEvent(draft, asks('m'));
    expect(draft.artifacts).toBe(artifacts);
    expect(draft.artifacts[0]?.parts).toBe(parts);
    expect(draft.history).toBe(history);
    expect(parts).toHaveLength(50_001);
  });

  test('D8: every sequence of legal events results in a valid Task', () => {
    fc.assert(
      fc.property(story, ({ task, events }) => {
        const draft = createDraft(task);
        for (const event of events) applyEvent(draft, event);
        const value = JSON.parse(taskJson(toTaskText(draft)));
        expect(parseAs('Task', value)).toBe(value);
      }),
    );
  });
});

describe('final states', () => {
  const ends: TaskState[] = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED'];
  const later: TaskEvent[] = [
    status('TASK_STATE_WORKING', says('late'), { late: true }),
    status('TASK_STATE_FAILED'),
    chunk(text('a', 'late')),
    chunk(text('a', 'late'), true),
    asks('late'),
    { kind: 'task', task: newTask() },
  ];

  test.each(ends)('after %s nothing changes: strict throws, lenient ignores', (state) => {
    const draft = fold([chunk(text('a', '1')), status(state, says('end'))]);
    const before = JSON.stringify(draft);
    for (const event of later) {
      const reason = event.kind === 'input' ? 'UNSUPPORTED_OPERATION' : 'INVALID_AGENT_RESPONSE';
      expect(() => applyEvent(draft, event)).toThrow(expect.objectContaining({ reason }));
      applyEvent(draft, event, { lenient: true });
      expect(JSON.stringify(draft)).toBe(before);
    }
    expect(isTerminal(draft.status.state)).toBe(true);
  });

  test('a strict error leaves the draft unchanged', () => {
    const draft = fold([status('TASK_STATE_WORKING', says('a'), { a: 1 })]);
    const before = JSON.stringify(draft);
    expect(() => applyEvent(draft, chunk(text('x', '1'), true))).toThrow();
    expect(() => applyEvent(draft, { kind: 'task', task: newTask() })).toThrow(
      expect.objectContaining({ reason: 'INVALID_AGENT_RESPONSE' }),
    );
    expect(JSON.stringify(draft)).toBe(before);
  });
});

test('C20: for a lenient reader a Task replaces the whole copy', () => {
  const draft = fold([status('TASK_STATE_WORKING', says('a'), { a: 1 }), chunk(text('x', '1'))]);
  const task: Task = { id: 't', status: { state: 'TASK_STATE_WORKING' }, artifacts: [text('y', '2')] };
  applyEvent(draft, { kind: 'task', task }, { lenient: true });
  expect(draft).toEqual({ ...task, history: [] });
  applyEvent(draft, chunk(text('y', '3'), true), { lenient: true });
  expect(task.artifacts).toEqual([text('y', '2')]);
});
