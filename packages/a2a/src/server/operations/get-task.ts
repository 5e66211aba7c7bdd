import { taskJson, taskJsonLength } from '../../protocol/task-text.js';
import { checkRoom, reserveReply } from '../byte-budget.js';
import { loadTask, scoped } from './checks.js';
import { type Operation, value } from './runtime.js';

export const getTask: Operation<'GetTask'> = async (runtime, call) => {
  const { id, historyLength } = call.params;
  const ref = scoped(call, id);
  checkRoom(call);
  const { text } = await loadTask(runtime, ref, historyLength);
  reserveReply(call, taskJsonLength(text, { historyLength }));
  return value(taskJson(text, { historyLength }));
};
