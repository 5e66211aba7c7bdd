import fc from 'fast-check';
import { expect, test } from 'vitest';
import { story } from '../../../test/arbitraries.js';
import { applyEvent, createDraft, type TaskEvent } from '../../protocol/apply-event.js';
import type { JsonObject, Task } from '../../protocol/types.js';
import { TaskCopy } from './task-copy.js';

const TASK: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } };

const status = (state: Task['status']['state'], text?: string, metadata?: JsonObject): TaskEvent => ({
  kind: 'status',
  update: {
    taskId: 't',
    contextId: 'c',
    status: { state, ...(text && { message: { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] } }) },
    ...(metadata && { metadata }),
  },
});

const chunk = (artifactId: string, text: string, append: boolean, metadata?: JsonObject): TaskEvent => ({
  kind: 'artifact',
  update: { taskId: 't', contextId: 'c', append, artifact: { artifactId, parts: [{ text }], ...(metadata && { metadata }) } },
});

const EVENTS: readonly TaskEvent[] = [
  status('TASK_STATE_WORKING', 'one', { a: 1 }),
  chunk('x', 'a', false, { n: 1 }),
  chunk('y', 'b', false),
  chunk('x', 'c', true, { n: 2, m: 1 }),
  status('TASK_STATE_WORKING', 'two', { a: 2, b: 1 }),
  chunk('x', 'anew', false),
  { kind: 'task', task: { ...TASK, status: { state: 'TASK_STATE_WORKING' }, artifacts: [{ artifactId: 'y', parts: [{ text: 'only' }] }] } },
  chunk('y', '!', true),
  chunk('z', 'last', false),
  status('TASK_STATE_COMPLETED', 'done'),
];

test('every view shows the task after its event, regardless of later events and of when it is read', () => {
  const copy = new TaskCopy(TASK);
  const draft = createDraft(TASK);
  const views = [copy.view()];
  const expected = [structuredClone(TASK)];
  for (const event of EVENTS) {
    copy.apply(event);
    views.push(copy.view());
    applyEvent(draft, event, { lenient: true });
    const { artifacts, history, ...head } = structuredClone(draft);
    expected.push({ ...head, ...(artifacts.length > 0 && { artifacts }), ...(history.length > 0 && { history }) });
  }
  expect(views.map(({ task }) => task)).toEqual(expected);
  expect(views.map(({ text }) => text)).toEqual(
    expected.map(({ artifacts = [] }) => artifacts.map(({ parts }) => parts.map((part) => part.text).join('')).join('\n\n')),
  );
  expect(views[3]?.artifact('x')).toEqual({ artifactId: 'x', parts: [{ text: 'a' }], metadata: { n: 1 } });
  expect(views[1]?.artifact('x')).toBeUndefined();
  expect(views[3]?.artifact('z')).toBeUndefined();
});

test('F73: a view stays readable after the copy has dropped the marks of its version', () => {
  const copy = new TaskCopy(TASK);
  const texts = new Map<string, string>();
  const kept: { readonly view: ReturnType<TaskCopy['view']>; readonly x: string | undefined; readonly y: string | undefined }[] = [];
  for (let index = 0; index < 5_000; index += 1) {
    const id = index % 3 === 0 ? 'x' : 'y';
    const append = index % 700 !== 0;
    copy.apply(chunk(id, `${index} `, append));
    texts.set(id, `${append ? (texts.get(id) ?? '') : ''}${index} `);
    if (index % 97 === 0) kept.push({ view: copy.view(), x: texts.get('x'), y: texts.get('y') });
  }
  for (const { view, x, y } of kept) {
    const found = ['x', 'y'].map((id) =>
      view
        .artifact(id)
        ?.parts.map(({ text }) => text)
        .join(''),
    );
    expect(found).toEqual([x, y]);
    expect(view.task.artifacts?.map(({ artifactId }) => artifactId)).toEqual(y === undefined ? ['x'] : ['x', 'y']);
    expect(view.text).toBe([x, y].filter((text) => text !== undefined).join('\n\n'));
  }
});

test('D48: every view keeps the text of its event, regardless of later appends and of when it is read', () => {
  fc.assert(
    fc.property(story, fc.boolean(), ({ task, events }, keepParts) => {
      const copy = new TaskCopy(task, { keepParts });
      const draft = createDraft(task);
      const views = [copy.view()];
      const expected = [structuredClone(draft.artifacts)];
      for (const [index, event] of events.entries()) {
        copy.apply(event);
        applyEvent(draft, event, { lenient: true, keepParts });
        views.push(copy.view());
        expected.push(structuredClone(draft.artifacts));
        if (index % 3 === 0) void copy.view().task; // read immediately: later views must not show this text
      }
      expect(views.map((view) => view.task.artifacts ?? [])).toEqual(expected);
      expect(views.map((view) => view.task.artifacts ?? [])).toEqual(expected);
    }),
  );
});

test('D48: a growing text is replaced: text that was handed out does not change', () => {
  const copy = new TaskCopy(TASK);
  copy.apply(chunk('x', 'a', false));
  const first = copy.view().artifact('x');
  const part = first?.parts[0];
  copy.apply(chunk('x', 'b', true));
  const second = copy.view().artifact('x');
  copy.apply({
    kind: 'artifact',
    update: { taskId: 't', contextId: 'c', append: true, artifact: { artifactId: 'x', parts: [{ data: 1 }] } },
  });
  copy.apply(chunk('x', 'c', true));
  expect(first?.parts).toEqual([{ text: 'a' }]);
  expect(first?.parts[0]).toBe(part);
  expect(second?.parts).toEqual([{ text: 'ab' }]);
  expect(copy.view().artifact('x')?.parts).toEqual([{ text: 'ab' }, { data: 1 }, { text: 'c' }]);
});

test('unchanged artifacts are the same objects, and all are frozen', () => {
  const copy = new TaskCopy(TASK);
  copy.apply(chunk('x', 'a', false));
  copy.apply(chunk('y', 'b', false));
  const before = copy.view().task;
  copy.apply(chunk('y', 'c', true));
  const { task } = copy.view();
  expect(task.artifacts?.[0]).toBe(before.artifacts?.[0]);
  expect(task.artifacts?.[1]).not.toBe(before.artifacts?.[1]);
  expect(Object.isFrozen(task) && Object.isFrozen(task.artifacts?.[0]?.parts)).toBe(true);
});

test('a final task never changes', () => {
  const copy = new TaskCopy(TASK);
  copy.apply(status('TASK_STATE_CANCELED'));
  copy.apply(chunk('x', 'late', false));
  copy.apply({ kind: 'task', task: TASK });
  expect(copy.view().task).toEqual({ ...TASK, status: { state: 'TASK_STATE_CANCELED' } });
});

test('a view costs the same for any length of the task', () => {
  const copy = new TaskCopy(TASK);
  const from = performance.now();
  for (let n = 0; n < 50_000; n += 1) {
    copy.apply(chunk('x', 'word ', n > 0));
    copy.view();
  }
  // The linear version needs a tenth of this limit. If each view read all parts, it would take many seconds.
  expect(performance.now() - from).toBeLessThan(1_500);
});

test('D34: a message that a peer stores in the status and in the history appears once, whether the task is watched or rebuilt', () => {
  const word = (text: string) => ({ messageId: text, role: 'ROLE_AGENT' as const, parts: [{ text }] });
  const snapshot = (state: Task['status']['state'], ...texts: readonly string[]): Task => ({
    ...TASK,
    status: { state, message: word(texts.at(-1) ?? '') },
    history: texts.map(word),
  });
  const watched = new TaskCopy(TASK);
  const rebuilt = new TaskCopy(snapshot('TASK_STATE_WORKING', 'one'));
  const late = new TaskCopy(TASK);
  for (const text of ['one', 'two']) watched.apply(status('TASK_STATE_WORKING', text));
  rebuilt.apply({ kind: 'task', task: snapshot('TASK_STATE_WORKING', 'one', 'two') });
  for (const copy of [watched, rebuilt]) copy.apply(status('TASK_STATE_COMPLETED', 'done'));
  late.apply({ kind: 'task', task: snapshot('TASK_STATE_COMPLETED', 'one', 'two', 'done') });
  expect(watched.view().task.history).toEqual(['one', 'two'].map(word));
  expect(rebuilt.view().task).toEqual(watched.view().task);
  expect(late.view().task).toEqual(watched.view().task);
});
