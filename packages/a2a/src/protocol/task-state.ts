/** Classifies task states: active, waiting for the caller, or ended. */
import type { TaskState } from './types.js';

type StateClass = 'unknown' | 'active' | 'interrupted' | 'terminal';

// In the order of their numbers in protobuf.
const CLASSES = {
  TASK_STATE_UNSPECIFIED: 'unknown',
  TASK_STATE_SUBMITTED: 'active',
  TASK_STATE_WORKING: 'active',
  TASK_STATE_COMPLETED: 'terminal',
  TASK_STATE_FAILED: 'terminal',
  TASK_STATE_CANCELED: 'terminal',
  TASK_STATE_INPUT_REQUIRED: 'interrupted',
  TASK_STATE_REJECTED: 'terminal',
  TASK_STATE_AUTH_REQUIRED: 'interrupted',
} as const satisfies Record<TaskState, StateClass>;

/** Every state; the index is its number in protobuf. */
export const TASK_STATES = Object.keys(CLASSES) as readonly TaskState[];

/** The task has ended and can no longer change. */
export function isTerminal(state: TaskState): boolean {
  return CLASSES[state] === 'terminal';
}

/** The task waits for its caller. */
export function isInterrupted(state: TaskState): boolean {
  return CLASSES[state] === 'interrupted';
}

/** The agent works on the task. */
export function isActive(state: TaskState): boolean {
  return CLASSES[state] === 'active';
}
