import { isA2AError } from '../../protocol/errors.js';
import type { Task } from '../../protocol/types.js';
import type { CallOptions } from '../call-options.js';
import type { Calling } from '../calling.js';

/** Tells the agent to stop a task, and gives what became of it: a task that was over already is as it ended. */
export async function cancelTask(calling: Calling, id: string, options: CallOptions): Promise<Task> {
  try {
    return await calling.value('CancelTask', { id }, options);
  } catch (thrown) {
    if (isA2AError(thrown) && thrown.reason === 'TASK_NOT_CANCELABLE') return calling.value('GetTask', { id }, options);
    throw thrown;
  }
}
