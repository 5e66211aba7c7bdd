import { taskJsonLength } from '../../protocol/task-text.js';
import { checkRoom, reserveReply } from '../limits/byte-budget.js';
import { loadChecked, scoped } from './checks.js';
import { type Operation, taskValue } from './runtime.js';

export const getTask: Operation<'GetTask'> = async (runtime, call) => {
  const { id, historyLength } = call.params;
  const ref = scoped(call, id);
  checkRoom(call);
  const { text } = await loadChecked(runtime, ref, { historyLength, check: () => checkRoom(call) });
  const options = { historyLength };
  const chars = taskJsonLength(text, options);
  reserveReply(call, chars);
  return taskValue({ text, options, chars });
};
