/** CancelTask: posted to the inbox like a message, and answered with the task as it ended. */
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { taskJson, taskJsonLength } from '../../protocol/task-text.js';
import type { TaskRef } from '../../stores/store.js';
import { type Call, shareOfCall } from '../call.js';
import { checkRoom, countReply } from '../limits/byte-budget.js';
import type { CurrentTask } from '../log/task-view.js';
import { checkMetadata, enterCall, loadTask, scoped, taskNotFound } from './checks.js';
import { type Operation, type Result, type Runtime, value } from './runtime.js';
import { untilStop } from './wait.js';

export const cancelTask: Operation<'CancelTask'> = async (runtime, call) => {
  checkMetadata(runtime.settings, call.params);
  checkRoom(call);
  const leave = enterCall(runtime, call);
  try {
    return await cancel(runtime, call);
  } finally {
    leave();
  }
};

async function cancel(runtime: Runtime, call: Call<'CancelTask'>): Promise<Result> {
  const { id, metadata } = call.params;
  const ref = scoped(call, id);
  const before = await loadTask(runtime, ref, 0);
  if (isTerminal(before.head.state)) return alreadyEnded(runtime, call, ref);
  const posted = await runtime.log.store.post(ref, 'cancel', JSON.stringify({ ...(metadata && { metadata }) }));
  if (posted === 'missing') throw taskNotFound(id);
  if (posted === 'final') return alreadyEnded(runtime, call, ref);
  const writer = runtime.active.writerOf(ref);
  const ended = untilStop(runtime, ref, { until: 'final', after: before.seq, writer, onLeave: call.onLeave });
  await Promise.all([ended, runtime.active.wake(ref, shareOfCall(call))]);
  return reply(call, await loadTask(runtime, ref));
}

function reply(call: Call, { text }: CurrentTask): Result {
  countReply(call, taskJsonLength(text));
  return value(taskJson(text));
}

/** Canceling twice is allowed; canceling a task that ended in another state is an error. */
async function alreadyEnded(runtime: Runtime, call: Call, ref: TaskRef): Promise<Result> {
  const current = await loadTask(runtime, ref);
  const { head } = current;
  if (head.state === 'TASK_STATE_CANCELED') return reply(call, current);
  throw new A2AError('TASK_NOT_CANCELABLE', `task ${ref.id} has ended (${head.state})`, { metadata: { taskId: ref.id } });
}
