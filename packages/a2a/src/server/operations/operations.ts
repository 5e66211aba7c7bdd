/** The eleven operations by name. The longer ones have their own files. */
import { A2AError } from '../../protocol/errors.js';
import type { MethodName } from '../../protocol/methods.js';
import { cancelTask } from './cancel-task.js';
import { pushNotSupported } from './checks.js';
import { getTask } from './get-task.js';
import { listTasks } from './list-tasks.js';
import { type Operation, value } from './runtime.js';
import { sendMessage, sendStreamingMessage } from './send-message.js';
import { subscribeToTask } from './subscribe-to-task.js';

/** The card for authenticated callers. Anonymous callers get AUTH_REQUIRED, whatever the public card declares. */
const getExtendedAgentCard: Operation<'GetExtendedAgentCard'> = async ({ settings }, { caller }) => {
  if (caller.id === '') throw new A2AError('AUTH_REQUIRED', 'the extended card requires authentication');
  const card = await settings.extendedCard?.(caller);
  if (card === undefined) throw new A2AError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'this agent has no extended card');
  return value(JSON.stringify(card));
};

const push = async (): Promise<never> => {
  throw pushNotSupported();
};

export const OPERATIONS: { readonly [M in MethodName]: Operation<M> } = {
  SendMessage: sendMessage,
  SendStreamingMessage: sendStreamingMessage,
  GetTask: getTask,
  ListTasks: listTasks,
  CancelTask: cancelTask,
  SubscribeToTask: subscribeToTask,
  CreateTaskPushNotificationConfig: push,
  GetTaskPushNotificationConfig: push,
  ListTaskPushNotificationConfigs: push,
  DeleteTaskPushNotificationConfig: push,
  GetExtendedAgentCard: getExtendedAgentCard,
};
