import { taskJsonLength } from '../../protocol/task-text.js';
import { checkRoom, reserveReply } from '../limits/byte-budget.js';
import { scoped, taskNotFound } from './checks.js';
import { type Operation, taskValue } from './runtime.js';

export const getTask: Operation<'GetTask'> = async (runtime, call) => {
  const { id, historyLength } = call.params;
  const ref = scoped(call, id);
  checkRoom(call);
  const current = await runtime.log.current(ref, historyLength, () => checkRoom(call));
  if (current === undefined) throw taskNotFound(id);
  const { text } = current;
  const options = { historyLength };
  const chars = taskJsonLength(text, options);
  reserveReply(call, chars);
  return taskValue({ text, options, chars });
};
