/** Whether a caller's message fits into its task (D58). */
import type { Task } from '../../protocol/types.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import { type TurnRequest, withTaskIds } from '../log/entries.js';
import { MAX_BYTES_PER_UNIT, taskTooLarge } from '../log/task-limit.js';
import { messageGrowth, newTaskBytes } from '../log/task-size.js';
import type { CurrentTask } from '../log/task-view.js';
import type { Runtime } from './runtime.js';

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

/** The ids that the runtime adds to a message, and the task around it, are shorter than this. */
const ADDED_BYTES = 64 * 1024;

/** Throws CONTENT_TOO_LARGE when a new task would be too large with its first message. */
export function checkNewTask({ settings }: Runtime, request: TurnRequest, { taskId, contextId }: Ids): void {
  const { maxTaskBytes, maxBodyBytes } = settings;
  if (maxBodyBytes + ADDED_BYTES <= maxTaskBytes) return;
  const bytes = newTaskBytes(withTaskIds(request, taskId, contextId).message, taskId, contextId);
  if (bytes > maxTaskBytes) throw taskTooLarge(bytes, maxTaskBytes);
}

/** Throws CONTENT_TOO_LARGE when the task would be too large with this message. Nothing is measured while the task is far from the limit. */
export function checkTaskRoom({ settings }: Runtime, request: TurnRequest, current: CurrentTask): void {
  const { maxTaskBytes, maxBodyBytes } = settings;
  const { text, messages, historyBytes } = current;
  const bound = historyBytes + messages + (text.head.length + text.artifacts.length) * MAX_BYTES_PER_UNIT;
  if (bound + maxBodyBytes + ADDED_BYTES <= maxTaskBytes) return;
  const { id, contextId = '', status }: Task = JSON.parse(text.head);
  const { message } = withTaskIds(request, id, contextId);
  const bytes = currentBytes(current) + messageGrowth(message, messages, status.message !== undefined);
  if (bytes > maxTaskBytes) throw taskTooLarge(bytes, maxTaskBytes);
}

/** The size of the Task as GetTask returns it. Lines and the members of an array have the same separators. */
function currentBytes({ text, messages, historyBytes }: CurrentTask): number {
  const artifacts = text.artifacts === '' ? 0 : ',"artifacts":[]'.length + utf8Length(text.artifacts);
  const history = messages === 0 ? 0 : ',"history":[]'.length + historyBytes + messages - 1;
  return utf8Length(text.head) + artifacts + history;
}
