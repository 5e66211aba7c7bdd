import { isA2AError } from '../../protocol/errors.js';
import type { Task } from '../../protocol/types.js';
import type { CallOptions } from '../call-options.js';
import type { Calling } from '../calling.js';

/** Cancels a task and returns the result. A task that had already ended is returned as it ended. */
export async function cancelTask(calling: Calling, id: string, options: CallOptions): Promise<Task> {
  try {
    return await calling.value('CancelTask', { id }, options);
  } catch (thrown) {
    if (isA2AError(thrown) && thrown.reason === 'TASK_NOT_CANCELABLE') return calling.value('GetTask', { id }, options);
    throw thrown;
  }
}
