import type { RequestState } from '../store.js';
import { fromColumn } from './name.js';
import { RUNNING } from './tasks.js';

/** How long a request is kept. */
export const REQUEST_LIFETIME_MS = 24 * 3_600_000;

/** The body hash of a request whose task or reply was erased. Its task id is kept; the id is empty if it had a reply. */
export const ERASED = '';

export type RequestColumns = readonly [
  bodyHash: string,
  at: number,
  attempt: number,
  taskId: string | null,
  reply: string | null,
  row: number | null,
  taskEnded: number | null,
  /** Null if the node is the one that asks. */
  nodeUntil: number | null,
];

/** Undefined when no live node runs the request; then it is run again. */
export function answerOf(
  [known, , , taskId, reply, row, taskEnded, nodeUntil]: RequestColumns,
  bodyHash: string,
  now: number,
): RequestState | undefined {
  if (known !== bodyHash && known !== ERASED) return { kind: 'conflict' };
  if (reply !== null) return { kind: 'done', replyJson: reply };
  // A deleted task had ended, or was erased.
  const kind = taskEnded === RUNNING ? 'running' : 'done';
  if (taskId !== null) return { kind, taskId: fromColumn(taskId), ...(row !== null && { row }) };
  return nodeUntil !== null && nodeUntil > now ? { kind: 'running' } : undefined;
}
