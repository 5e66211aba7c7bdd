/** The names of states and roles. The ProtoJSON of 0.3 spells one state differently; its JSON schema has names of its own. */
import type { Role, TaskState } from '../../protocol/types.js';
import { invalid, show } from './parts.js';

const STATES = {
  TASK_STATE_UNSPECIFIED: 'unknown',
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
} as const satisfies Record<TaskState, string>;

export const STATES_OF_SCHEMA: ReadonlySet<string> = new Set(Object.values(STATES));

/** The state in the JSON schema of 0.3. */
export function stateToSchema(state: unknown): unknown {
  return typeof state === 'string' && Object.hasOwn(STATES, state) ? STATES[state as TaskState] : state; // checked: a key of the table
}

/** The state in the ProtoJSON of 0.3, which has two L in one name. */
export function stateToProto(state: unknown): unknown {
  return state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state;
}

/** The role in the JSON schema of 0.3, which has no unspecified one. */
export function roleToSchema(role: unknown): 'user' | 'agent' {
  return role === ('ROLE_USER' satisfies Role) ? 'user' : 'agent';
}

/** The role of a message in a 0.3 request; `field` names it in errors. Both models are accepted. */
export function roleFromV03(role: unknown, field: string): unknown {
  switch (role) {
    case 'user':
      return 'ROLE_USER';
    case 'agent':
      return 'ROLE_AGENT';
    case 'ROLE_USER':
    case 'ROLE_AGENT':
    case 1: // the numbers of ProtoJSON
    case 2:
    case undefined:
      return role;
    default:
      throw invalid(field, `must be "user" or "agent", got ${show(role)}`);
  }
}
