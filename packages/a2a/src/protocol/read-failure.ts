/** The reason why a task failed, as the agent reported it. */
import { type ErrorLink, readChain } from './error-chain.js';
import { ERRORS, type ErrorReason, isPeerReason } from './error-table.js';
import { FAILURE_KEY } from './failure-key.js';
import type { Task } from './types.js';

/** Why a task failed, as `readFailure` returns it. */
export interface Failure {
  /** INTERNAL_ERROR if the agent sent a reason that this version does not know. */
  readonly reason: ErrorReason;
  /** The JSON-RPC code. */
  readonly code: number;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** Why the runtime ended the task, if the agent did not: 'crash', 'shutdown', 'expired'. */
  readonly why: string | undefined;
  /** The agent had published nothing: the runtime created the task, and the failure is that of the call. */
  readonly unpublished: boolean;
  /** The agents through which the failure came, outermost first. */
  readonly chain: readonly ErrorLink[];
  /** For people: the text of the status message; '' when there is none. */
  readonly message: string;
}

/** Reads the failure under `FAILURE_KEY` in the status message of a task; undefined when there is none, as with other implementations. */
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
