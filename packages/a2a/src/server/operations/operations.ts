/** The eleven operations by name. */
import type { MethodName } from '../../protocol/methods.js';
import { cancelTask } from './cancel-task.js';
import { pushNotSupported } from './checks.js';
import { getExtendedAgentCard } from './extended-card.js';
import { getTask } from './get-task.js';
import { listTasks } from './list-tasks.js';
import type { Operation } from './runtime.js';
import { sendMessage, sendStreamingMessage } from './send-message.js';
import { subscribeToTask } from './subscribe-to-task.js';

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
