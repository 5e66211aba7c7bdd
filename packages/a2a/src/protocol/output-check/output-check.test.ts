import { describe, expect, test } from 'vitest';
import { checkOutput as checkNothing } from './none.js';
import { checkOutput } from './strict.js';

const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] };
const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };

describe('D24: sent messages', () => {
  test('D24: a strict message passes', () => {
    expect(() => checkOutput('StreamResponse', JSON.stringify({ task }))).not.toThrow();
    expect(() => checkOutput('Empty', '{}')).not.toThrow();
  });

  test.each([
    ['an unknown member', { task: { ...task, kind: 'task' } }, 'task.kind is not a known member'],
    ['a snake_case member', { task: { ...task, context_id: 'c' } }, 'task.context_id is not a known member'],
    ['an unspecified state', { task: { ...task, status: { state: 'TASK_STATE_UNSPECIFIED' } } }, 'task.status.state must be one of'],
    ['a null', { task: { ...task, metadata: null } }, 'task.metadata must be an object'],
    [
      'a time with an offset',
      { task: { ...task, status: { ...task.status, timestamp: '2025-01-31T12:00:00+01:00' } } },
      'task.status.timestamp must be',
    ],
    ['two payloads', { task, message }, 'StreamResponse must have exactly one of'],
  ])('D24: %s is reported, not repaired', (_name, value, complaint) => {
    expect(() => checkOutput('StreamResponse', JSON.stringify(value))).toThrow(complaint);
  });

  test('nothing is checked outside tests', () => {
    expect(() => checkNothing('Task', 'not even JSON')).not.toThrow();
  });
});
