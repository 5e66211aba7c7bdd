import { taskJson } from '../../protocol/task-text.js';
import { loadTask, scoped } from './checks.js';
import { type Operation, value } from './runtime.js';

export const getTask: Operation<'GetTask'> = async (runtime, call) => {
  const { id, historyLength } = call.params;
  const { text } = await loadTask(runtime, scoped(call, id), historyLength);
  return value(taskJson(text, { historyLength }));
};
