/** CancelTask: posted to the inbox like a message, and answered with the task as it ended. */
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { taskJson } from '../../protocol/task-text.js';
import type { TaskRef } from '../../stores/store.js';
import { type Call, shareOfCall } from '../call.js';
import { checkMetadata, loadTask, scoped, taskNotFound } from './checks.js';
import { type Operation, type Result, type Runtime, value } from './runtime.js';
import { untilStop } from './wait.js';

export const cancelTask: Operation<'CancelTask'> = async (runtime, call) => {
  checkMetadata(runtime.settings, call.params);
  const share = runtime.calls.enter(call);
  try {
    return await cancel(runtime, call);
  } finally {
    runtime.calls.leave(share);
  }
};

async function cancel(runtime: Runtime, call: Call<'CancelTask'>): Promise<Result> {
  const { id, metadata } = call.params;
  const ref = scoped(call, id);
  const before = await loadTask(runtime, ref, 0);
  if (isTerminal(before.head.state)) return alreadyEnded(runtime, ref);
  const posted = await runtime.log.store.post(ref, 'cancel', JSON.stringify({ ...(metadata && { metadata }) }));
  if (posted === 'missing') throw taskNotFound(id);
  if (posted === 'final') return alreadyEnded(runtime, ref);
  const writer = runtime.active.writerOf(ref);
  const ended = untilStop(runtime, ref, { until: 'final', after: before.seq, writer, onLeave: call.onLeave });
  await Promise.all([ended, runtime.active.wake(ref, shareOfCall(call))]);
  return value(taskJson((await loadTask(runtime, ref)).text));
}

/** Canceling twice is allowed; canceling a task that ended in another state is an error. */
async function alreadyEnded(runtime: Runtime, ref: TaskRef): Promise<Result> {
  const { head, text } = await loadTask(runtime, ref);
  if (head.state === 'TASK_STATE_CANCELED') return value(taskJson(text));
  throw new A2AError('TASK_NOT_CANCELABLE', `task ${ref.id} has ended (${head.state})`, { metadata: { taskId: ref.id } });
}
