/** CancelTask: posted to the inbox like a message, and answered with the task as it ended. */
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { taskJson } from '../../protocol/task-text.js';
import type { CurrentTask } from '../task-view.js';
import { checkMetadata, loadTask, scoped, taskNotFound } from './checks.js';
import { type Operation, type Result, value } from './runtime.js';
import { untilStop } from './wait.js';

export const cancelTask: Operation<'CancelTask'> = async (runtime, call) => {
  const { id, metadata } = call.params;
  checkMetadata(runtime.settings, call.params);
  const ref = scoped(call, id);
  const before = await loadTask(runtime, ref);
  if (isTerminal(before.head.state)) return alreadyEnded(before, id);
  const posted = await runtime.log.store.post(ref, 'cancel', JSON.stringify({ ...(metadata && { metadata }) }));
  if (posted === 'missing') throw taskNotFound(id);
  if (posted === 'final') return alreadyEnded(await loadTask(runtime, ref), id);
  const writer = runtime.active.writerOf(ref);
  const ended = untilStop(runtime, ref, { until: 'final', after: before.seq, writer, onLeave: call.onLeave });
  await Promise.all([ended, runtime.active.wake(ref)]);
  return value(taskJson((await loadTask(runtime, ref)).text));
};

/** Canceling twice is allowed; canceling a task that ended in another state is an error. */
function alreadyEnded({ head, text }: CurrentTask, id: string): Result {
  if (head.state === 'TASK_STATE_CANCELED') return value(taskJson(text));
  throw new A2AError('TASK_NOT_CANCELABLE', `task ${id} has ended (${head.state})`, { metadata: { taskId: id } });
}
