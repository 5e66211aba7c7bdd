/** Why a task failed, as it says itself. */
import { type ErrorLink, readChain } from './error-chain.js';
import { ERRORS, type ErrorReason, isPeerReason } from './error-table.js';
import { FAILURE_KEY } from './failure-key.js';
import type { Task } from './types.js';

export interface Failure {
  /** INTERNAL_ERROR where the agent says something that this version does not know. */
  readonly reason: ErrorReason;
  /** JSON-RPC. */
  readonly code: number;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** How the runtime ended it, if it was not the agent: 'crash', 'shutdown', 'expired'. */
  readonly why: string | undefined;
  /** The agent had published nothing: the task was created for it, and the failure is that of the call. */
  readonly unpublished: boolean;
  /** Outermost first: which agents the failure came through. */
  readonly chain: readonly ErrorLink[];
  /** For people: the text of the status message, '' when there is none. */
  readonly message: string;
}

/** Reads what a task's status message says under `FAILURE_KEY`; undefined when it says nothing there, as with agents of other makers. */
export function readFailure(task: Pick<Task, 'status'>): Failure | undefined {
  const { message } = task.status;
  const said: unknown = message?.metadata?.[FAILURE_KEY];
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined;
  const { reason, code, retryable, retryAfterMs, why, unpublished, chain }: Partial<Record<keyof Failure, unknown>> = said;
  const known: ErrorReason = isPeerReason(reason) ? reason : 'INTERNAL_ERROR';
  return {
    reason: known,
    code: typeof code === 'number' && Number.isInteger(code) ? code : ERRORS[known].rpc,
    retryable: typeof retryable === 'boolean' ? retryable : ERRORS[known].retryable,
    retryAfterMs: typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0 ? retryAfterMs : undefined,
    why: typeof why === 'string' ? why.slice(0, MAX_WHY) : undefined,
    unpublished: unpublished === true,
    chain: readChain(chain),
    message: (message?.parts ?? []).map(({ text }) => text ?? '').join(''),
  };
}

const MAX_WHY = 100;
