import { expect, test } from 'vitest';
import { isActive, isInterrupted, isTerminal, TASK_STATES } from './task-state.js';

test('every state but the unspecified one is active, interrupted or terminal, and only one of them', () => {
  expect(TASK_STATES.filter(isActive)).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);
  expect(TASK_STATES.filter(isInterrupted)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']);
  expect(TASK_STATES.filter(isTerminal)).toEqual([
    'TASK_STATE_COMPLETED',
    'TASK_STATE_FAILED',
    'TASK_STATE_CANCELED',
    'TASK_STATE_REJECTED',
  ]);
  expect(TASK_STATES).toHaveLength(9);
});
