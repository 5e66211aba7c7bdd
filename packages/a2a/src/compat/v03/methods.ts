/** The operations of 1.0 that 0.3 has: their names in JSON-RPC and their routes in HTTP+JSON. */
import type { MethodName, RouteTable } from '../../protocol/methods.js';

/** The JSON-RPC names of 0.3. ListTasks has none. */
const RPC_NAMES = {
  SendMessage: 'message/send',
  SendStreamingMessage: 'message/stream',
  GetTask: 'tasks/get',
  CancelTask: 'tasks/cancel',
  SubscribeToTask: 'tasks/resubscribe',
  CreateTaskPushNotificationConfig: 'tasks/pushNotificationConfig/set',
  GetTaskPushNotificationConfig: 'tasks/pushNotificationConfig/get',
  ListTaskPushNotificationConfigs: 'tasks/pushNotificationConfig/list',
  DeleteTaskPushNotificationConfig: 'tasks/pushNotificationConfig/delete',
  GetExtendedAgentCard: 'agent/getAuthenticatedExtendedCard',
} as const satisfies Partial<Record<MethodName, string>>;

/** The operations that 0.3 has. */
export type V03Method = keyof typeof RPC_NAMES;

/** The version that the translators support. */
export const V03 = '0.3';

export function isV03Method(method: string): method is V03Method {
  return Object.hasOwn(RPC_NAMES, method);
}

/** The JSON-RPC name of an operation in 0.3. */
export function toRpcName(method: V03Method): string {
  return RPC_NAMES[method];
}

const METHODS_BY_RPC_NAME: ReadonlyMap<string, V03Method> = new Map(
  // `Object.entries` widens the keys; they are the table's own.
  (Object.entries(RPC_NAMES) as [V03Method, string][]).map(([method, name]) => [name, method]),
);

/** The operation with this JSON-RPC name in 0.3; undefined if there is none. */
export function fromRpcName(name: string): V03Method | undefined {
  return METHODS_BY_RPC_NAME.get(name);
}

const CONFIGS = '/v1/tasks/{taskId}/pushNotificationConfigs';

/** The routes of 0.3. Clients subscribe by GET as the specification says, or by POST. */
export const V03_ROUTES = {
  SendMessage: [{ verb: 'POST', path: '/v1/message:send', body: true }],
  SendStreamingMessage: [{ verb: 'POST', path: '/v1/message:stream', body: true }],
  GetTask: [{ verb: 'GET', path: '/v1/tasks/{id}', body: false }],
  CancelTask: [{ verb: 'POST', path: '/v1/tasks/{id}:cancel', body: true }],
  SubscribeToTask: [
    { verb: 'GET', path: '/v1/tasks/{id}:subscribe', body: false },
    { verb: 'POST', path: '/v1/tasks/{id}:subscribe', body: true },
  ],
  CreateTaskPushNotificationConfig: [{ verb: 'POST', path: CONFIGS, body: true }],
  GetTaskPushNotificationConfig: [{ verb: 'GET', path: `${CONFIGS}/{id}`, body: false }],
  ListTaskPushNotificationConfigs: [{ verb: 'GET', path: CONFIGS, body: false }],
  DeleteTaskPushNotificationConfig: [{ verb: 'DELETE', path: `${CONFIGS}/{id}`, body: false }],
  GetExtendedAgentCard: [{ verb: 'GET', path: '/v1/card', body: false }],
} as const satisfies RouteTable;
