import { expect, test } from 'vitest';
import { lazyTask } from './task-text.js';

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
const artifact = { artifactId: 'a', parts: [{ text: 'a page' }] };
const text = {
  head: JSON.stringify({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }),
  history: JSON.stringify(message),
  artifacts: JSON.stringify(artifact),
};
const whole = { ...JSON.parse(text.head), artifacts: [artifact], history: [message] };

test.each([
  ['as it is', lazyTask(text)],
  ['frozen', Object.freeze(lazyTask(text))],
  ['sealed', Object.seal(lazyTask(text))],
  ['not extensible', Object.preventExtensions(lazyTask(text))],
])('a lazily parsed task that is %s has its history and artifacts, and each read returns the same arrays', (_, task) => {
  expect(task.history).toEqual([message]);
  expect(task.history).toBe(task.history);
  expect(task.artifacts).toBe(task.artifacts);
  expect(JSON.parse(JSON.stringify(task))).toEqual(whole);
  expect({ ...task }).toEqual(whole);
});

test('members of a lazily parsed task can be replaced before and after they are read, unless it is frozen', () => {
  const task = lazyTask(text);
  Object.assign(task, { history: [] });
  expect(task.artifacts).toEqual([artifact]);
  Object.assign(task, { artifacts: [] });
  expect(task).toMatchObject({ history: [], artifacts: [] });
  expect(() => Object.assign(Object.freeze(lazyTask(text)), { history: [] })).toThrow(TypeError);
});
