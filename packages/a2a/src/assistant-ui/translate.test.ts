import { expect, test } from 'vitest';
import { TASK_STATES } from '../protocol/task-state.js';
import type { Message, Task } from '../protocol/types.js';
import {
  fromA2AListRequest,
  fromA2AMessage,
  fromA2ARole,
  fromA2AState,
  toA2AMessage,
  toA2AState,
  toA2AStreamEvent,
  toA2ATask,
} from './translate.js';
import type { A2AMessage } from './types.js';

const WORDS = { task_state: 'TASK_STATE_WORKING', role: 'ROLE_AGENT', status: { state: 'TASK_STATE_FAILED' } };
const message: Message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data: WORDS, metadata: WORDS }], metadata: WORDS };
const task: Task = {
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_WORKING', message, timestamp: '2026-01-01T00:00:00Z' },
  artifacts: [{ artifactId: 'a', parts: [{ data: WORDS }], metadata: WORDS }],
  history: [{ messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'ROLE_USER' }] }, message],
  metadata: WORDS,
};

test('U6: every state and role maps to one name and back', () => {
  const words = TASK_STATES.map(toA2AState);
  expect(words).toEqual(TASK_STATES.map((state) => state.replace('TASK_STATE_', '').toLowerCase()));
  expect(words.map(fromA2AState)).toEqual(TASK_STATES);
  expect((['unspecified', 'user', 'agent'] as const).map(fromA2ARole)).toEqual(['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT']);
});

test('U6: user messages and the status filter are sent with wire names', () => {
  const said: A2AMessage = { messageId: 'm', role: 'user', parts: [{ data: { role: 'user' } }], metadata: { state: 'working' } };
  expect(fromA2AMessage(said)).toEqual({ ...said, role: 'ROLE_USER' });
  expect(fromA2AListRequest({ status: 'input_required', pageSize: 3 })).toEqual({ status: 'TASK_STATE_INPUT_REQUIRED', pageSize: 3 });
  expect(fromA2AListRequest({ status: undefined })).not.toHaveProperty('status');
});

test('U5: a task gets lower-case names, and metadata and data stay unchanged', () => {
  const translated = toA2ATask(task);
  expect(translated).toEqual({
    ...task,
    status: { ...task.status, state: 'working', message: { ...message, role: 'agent' } },
    history: [
      { messageId: 'u', role: 'user', parts: [{ text: 'ROLE_USER' }] },
      { ...message, role: 'agent' },
    ],
  });
  expect(translated.metadata).toBe(task.metadata);
  expect(translated.artifacts).toBe(task.artifacts);
  expect(task.status.state).toBe('TASK_STATE_WORKING');
});

test('U5: unknown names become unspecified, including names of inherited object members', () => {
  // Responses of peers are validated before; these values come from untyped callers.
  expect(toA2AState('TASK_STATE_DREAMING' as never)).toBe('unspecified');
  expect(fromA2AState('constructor' as never)).toBe('TASK_STATE_UNSPECIFIED');
  expect(fromA2ARole('toString' as never)).toBe('ROLE_UNSPECIFIED');
  expect(toA2AState('toString' as never)).toBe('unspecified');
  expect(toA2AMessage({ ...message, role: 'constructor' as never }).role).toBe('unspecified');
});

test('U13: each stream event becomes one of four types', () => {
  const ids = { taskId: 't', contextId: 'c' };
  const artifactUpdate = { ...ids, artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, append: true };
  expect(toA2AStreamEvent({ task })).toEqual({ type: 'task', task: toA2ATask(task) });
  expect(toA2AStreamEvent({ message })).toEqual({ type: 'message', message: { ...message, role: 'agent' } });
  expect(toA2AStreamEvent({ statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } })).toEqual({
    type: 'statusUpdate',
    event: { ...ids, status: { state: 'completed' } },
  });
  expect(toA2AStreamEvent({ artifactUpdate })).toEqual({ type: 'artifactUpdate', event: artifactUpdate });
  expect(toA2AStreamEvent({})).toBeUndefined();
});

test('the cost of translating a streaming task does not depend on the length of its history', () => {
  const history = Array.from({ length: 5 }, (_, index): Message => ({ ...message, messageId: `${index}` }));
  const first = toA2ATask({ ...task, history });
  const second = toA2ATask({ ...task, history, status: { state: 'TASK_STATE_COMPLETED' } });
  expect(second.history).toBe(first.history);
  expect(toA2ATask(task)).toBe(toA2ATask(task));
});
